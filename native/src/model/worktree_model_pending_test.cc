// Nothing waits for git: what it has not said yet leaves the rows that depend on it as they were,
// and everything else goes on. The test says when git answers.
#include <gtest/gtest.h>

#include "model/model_test_support.h"

namespace resident {
namespace {

// A file of tomorrow never counts as settled.
void make_young_for_good(const std::string& path) {
  const timespec tomorrow{::time(nullptr) + 86'400, 0};
  const timespec times[2] = {tomorrow, tomorrow};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

class ModelPendingTest : public ModelTest {
 protected:
  ModelPendingTest() {
    git_ = runner_;
    // What is racily clean is compared by content, hence asked of a filter.
    old_file("plain", "1");
    commit_all();
  }

  void commit_filtered() {
    repo_.write(".gitattributes", "f* filter=up\n");
    repo_.git({"config", "filter.up.clean", "tr a-z A-Z"});
    for (const char* name : {"f1", "f2", "f3"}) old_file(name, "ABC");
    commit_all();
  }
  void commit_submodule() {
    repo_.git({"init", "-q", "sub"});
    repo_.git({"-C", "sub", "commit", "-q", "--allow-empty", "-m", "1"});
    repo_.git({"add", "sub"});
    repo_.git({"commit", "-q", "-m", "sub"});
  }

  // Open, with every answer of git's taken in, and no config so young that it is asked again.
  void start_answered() {
    start_gated();
    while (now(of_paths({"plain"})) == "pending") runner_->answer_all();
    answer_all();
  }
  void start_gated() {
    open_gated();
    take();
  }
  void answer_all() {
    do {
      (void)model_->update();
      take();
    } while (runner_->answer_all() > 0);
  }
  Result<StatusResult> ask(const StatusQuery& of, WorktreeModel::RequestId asked) {
    const WorktreeModel::Asking asking(*model_, asked);
    return model_->answer(of);
  }
  // What a question gets that waits for nothing, and one that waits for all.
  std::string now(const StatusQuery& of = {}) { return text_of(ask(of, model_->next_request())); }
  std::string at_last(const StatusQuery& of = {}) { return text_of(ask_until_answered(of)); }
  Result<StatusResult> ask_until_answered(const StatusQuery& of) {
    const auto asked = model_->next_request();
    Result<StatusResult> status = ask(of, asked);
    while (!status.ok() && status.error().code == ErrorCode::kPending) {
      if (runner_->answer_all() == 0) return Error{ErrorCode::kInvalid, "it waits for nobody"};
      status = ask(of, asked);
    }
    return status;
  }
  static std::string text_of(const Result<StatusResult>& status) {
    if (!status.ok()) return status.error().code == ErrorCode::kPending ? "pending" : "error";
    std::string text;
    for (const std::string& line : lines_of(*status))
      text += line.substr(line.rfind(' ') + 1) + " ";
    return text;
  }
  void expect_as_git_at_last() {
    const Result<StatusResult> status =
        ask_until_answered(query(UntrackedMode::kAll, IgnoredMode::kNo));
    ASSERT_TRUE(status.ok()) << status.error().message;
    EXPECT_EQ(lines_of(*status), git_lines(UntrackedMode::kAll, IgnoredMode::kNo));
    expect_told();
  }
  StatusQuery of_paths(const std::vector<std::string>& paths) {
    StatusQuery query;
    query.pathspec = std::make_shared<const Pathspec>(*Pathspec::parse(paths, {}));
    return query;
  }

  const std::shared_ptr<testing::FakeGitRunner> runner_ =
      std::make_shared<testing::FakeGitRunner>();
};

TEST_F(ModelPendingTest, TheFirstScanWaitsForTheConfigAndNothingElseIsKnown) {
  start_gated();
  EXPECT_EQ(model_->state().kind, ModelState::Kind::kScanning);
  EXPECT_EQ(now(), "pending");
  answer_all();
  EXPECT_EQ(model_->state().kind, ModelState::Kind::kWatching);
  expect_as_git_at_last();
}

TEST_F(ModelPendingTest, AConfigThatWasWrittenWhileGitReadItIsReadAgainUnasked) {
  start_gated();
  ASSERT_EQ(runner_->waiting(), 1u);
  repo_.git({"config", "core.fileMode", "false"});
  EXPECT_EQ(runner_->answer_all(), 1u);
  update();
  EXPECT_TRUE(model_->due());
  EXPECT_EQ(runner_->waiting(), 0u);
  EXPECT_EQ(now(), "pending") << "who asks does not wait for that";
  while (now() == "pending") runner_->answer_all();
  EXPECT_FALSE(model_->due());
}

TEST_F(ModelPendingTest, AConfigOfAnotherBranchDoesNotStayWhereHeadCameBackBeforeItWasKnown) {
  testing::write_whole_file(repo_.path("of-main"), "[core]\nfileMode = false\n");
  const std::string branch = repo_.git_line({"branch", "--show-current"});
  repo_.git({"config", "includeIf.onbranch:" + branch + ".path", repo_.path("of-main")});
  ASSERT_EQ(::chmod(at("plain").c_str(), 0755), 0);
  start_answered();
  repo_.git({"checkout", "-q", "--detach"});
  update();
  ASSERT_EQ(runner_->answer_all(), 1u);
  repo_.git({"checkout", "-q", branch});
  update();
  EXPECT_EQ(at_last(), "");
}

TEST_F(ModelPendingTest, AConfigOnlyForGitThatWasWrittenWhileGitReadItIsReadAgain) {
  repo_.write("u", "");
  repo_.write("../rules", "");
  start_answered();
  repo_.git({"config", "attr.tree", "HEAD"});
  update();
  ASSERT_EQ(runner_->waiting(), 1u);
  runner_->answer();
  repo_.git({"config", "core.excludesFile", "../rules"});
  answer_all();
  ASSERT_TRUE(model_->is_delegated());
  // Until what git says is kept.
  for (size_t before = 0; before != runner_->started();) {
    before = runner_->started();
    EXPECT_EQ(at_last(), "u ");
  }
  repo_.write("../rules", "u\n");
  EXPECT_EQ(at_last(), "");
}

TEST_F(ModelPendingTest, AFilterIsAskedOnceForAllItsFilesAndOthersGoOn) {
  commit_filtered();
  start_answered();
  ASSERT_EQ(runner_->waiting(), 0u);
  repo_.write("f1", "abc");
  repo_.write("f2", "xyz");
  update();
  EXPECT_EQ(runner_->waiting(), 1u);
  EXPECT_EQ(model_->awaited()->subject.name, "filter up");
  EXPECT_EQ(now(), "pending");
  EXPECT_EQ(now(of_paths({"plain"})), "");
  repo_.write("plain", "2");
  repo_.write("new", "2");
  EXPECT_EQ(now(of_paths({"plain", "new"})), "plain new ");
  take();
  EXPECT_EQ(told_.tracked.size(), 1u);
  EXPECT_EQ(told_.untracked.size(), 1u);
  expect_as_git_at_last();
  EXPECT_TRUE(told_.tracked.contains("f2"));
  EXPECT_FALSE(told_.tracked.contains("f1"));
}

TEST_F(ModelPendingTest, ARowStaysUntilItsFilterHasAnswered) {
  commit_filtered();
  start_answered();
  repo_.write("f1", "xyz");
  expect_as_git_at_last();
  ASSERT_TRUE(told_.tracked.contains("f1"));
  repo_.write("f1", "abc");
  update();
  take();
  EXPECT_TRUE(told_.tracked.contains("f1"));
  expect_as_git_at_last();
  EXPECT_FALSE(told_.tracked.contains("f1"));
}

TEST_F(ModelPendingTest, WhatIsWrittenWhileItsFilterIsAskedIsAskedAgain) {
  commit_filtered();
  start_answered();
  repo_.write("f1", "xyz");
  update();
  ASSERT_EQ(runner_->waiting(), 1u);
  // git answers of the file as it was; the write after that is not taken in yet.
  runner_->answer();
  repo_.write("f1", "abc");
  update();
  EXPECT_EQ(now(), "pending");
  expect_as_git_at_last();
  EXPECT_FALSE(told_.tracked.contains("f1"));
}

TEST_F(ModelPendingTest, AFileThatIsKnownWithoutItsFilterWaitsForNothing) {
  commit_filtered();
  start_answered();
  repo_.write("f1", "xyz");
  update();
  ASSERT_EQ(runner_->waiting(), 1u);
  std::filesystem::remove(at("f1"));
  EXPECT_EQ(now(), "f1 ");
  repo_.write("f2", "xyz");
  update();
  repo_.write("f2", "of another size");
  EXPECT_EQ(now(), "f1 f2 ");
  expect_as_git_at_last();
}

TEST_F(ModelPendingTest, AnotherIndexWhileAFilterIsAsked) {
  commit_filtered();
  start_answered();
  repo_.write("f1", "xyz");
  repo_.write("f2", "xyz");
  update();
  take();
  // The first answer is of the old index.
  runner_->answer();
  repo_.git({"add", "f1"});
  repo_.git({"rm", "-q", "--cached", "f2"});
  update();
  take();
  expect_as_git_at_last();
}

TEST_F(ModelPendingTest, OtherAttributesWhileAFilterIsAsked) {
  commit_filtered();
  start_answered();
  repo_.write("f1", "abc");
  update();
  ASSERT_EQ(runner_->waiting(), 1u);
  repo_.write(".gitattributes", "");
  EXPECT_EQ(now(of_paths({"f1"})), "f1 ");
  EXPECT_EQ(runner_->cancelled(), 1u);
  expect_as_git_at_last();
}

TEST_F(ModelPendingTest, AttributesThatAFilterMakesAreNoNewsOnceItHasAnswered) {
  repo_.git({"config", "filter.up.clean", "cat"});
  old_file(".gitattributes", "* filter=up\n#1\n");
  old_file("f1", "ABC");
  commit_all();
  start_answered();
  // Of the same size, so that content tells.
  repo_.write(".gitattributes", "* filter=up\n#2\n");
  mark(".gitattributes", false);
  repo_.write("f1", "ABD");
  mark("f1", false);
  update();
  int answers = 0;
  for (; answers < 10 && runner_->answer_all() > 0; ++answers) update();
  EXPECT_GE(answers, 1);
  EXPECT_LE(answers, 2);
  EXPECT_FALSE(model_->due());
  expect_as_git_at_last();

  // While it is asked they become others.
  repo_.write(".gitattributes", "* filter=up\n#3\n");
  mark(".gitattributes", false);
  update();
  repo_.write(".gitattributes", "f* -filter\n");
  answer_all();
  EXPECT_EQ(runner_->waiting(), 0u);
  expect_as_git_at_last();
}

TEST_F(ModelPendingTest, ARescanWhileAFilterIsAsked) {
  commit_filtered();
  start_answered();
  repo_.write("f1", "xyz");
  expect_as_git_at_last();
  repo_.write("f1", "abc");
  update();
  EXPECT_TRUE(model_->scan().ok());
  take();
  EXPECT_TRUE(told_.tracked.contains("f1")) << "as it was";
  expect_as_git_at_last();
}

TEST_F(ModelPendingTest, WhatTheSweepFindsIsAsked) {
  commit_filtered();
  open_model(&fake_);
  (void)model_->scan();
  answer_all();
  ASSERT_EQ(runner_->waiting(), 0u);
  repo_.write("f1", "xyz");
  while (!model_->sweep(1000)) {
  }
  EXPECT_EQ(runner_->waiting(), 1u);
  answer_all();
  EXPECT_TRUE(told_.tracked.contains("f1"));
}

TEST_F(ModelPendingTest, AFilterThatFailsIsFoundAmongMany) {
  commit_filtered();
  repo_.git({"config", "filter.up.required", "true"});
  repo_.git({"config", "filter.up.clean",
             "f=$(cat); test \"$f\" != bad && printf %s \"$f\" | tr a-z A-Z"});
  start_answered();
  repo_.write("f1", "abc");
  repo_.write("f2", "bad");
  EXPECT_EQ(at_last(of_paths({"f1"})), "");
  EXPECT_EQ(at_last(of_paths({"plain"})), "");
  EXPECT_EQ(at_last(), "error");
}

TEST_F(ModelPendingTest, ASubmoduleIsAskedInTheBackground) {
  commit_submodule();
  start_answered();
  repo_.write("sub/new", "1");
  update();
  EXPECT_EQ(runner_->waiting(), 1u);
  EXPECT_EQ(now(), "pending");
  EXPECT_EQ(now(of_paths({"plain"})), "");
  repo_.write("sub/newer", "1");
  update();
  EXPECT_EQ(runner_->waiting(), 1u) << "one at a time";
  expect_as_git_at_last();
  EXPECT_TRUE(told_.tracked.contains("sub"));
  // Its row stays while it is asked again.
  repo_.git({"-C", "sub", "clean", "-q", "-f"});
  update();
  take();
  EXPECT_TRUE(told_.tracked.contains("sub"));
  expect_as_git_at_last();
  EXPECT_FALSE(told_.tracked.contains("sub"));
}

// It is found and its config is read in the background; git does not run its status in it.
TEST_F(ModelPendingTest, AnUntrustedSubmoduleIsScannedWithoutWaitingForGit) {
  trusted_ = false;
  commit_submodule();
  start_answered();
  repo_.write("sub/new", "1");
  repo_.write("plain", "22");
  update();
  ASSERT_EQ(runner_->waiting(), 1u);
  EXPECT_EQ(runner_->command(0).arguments.front(), "rev-parse");
  EXPECT_EQ(now(of_paths({"plain"})), "plain ") << "other rows go on";
  EXPECT_EQ(now(), "pending");
  for (int asked = 0; runner_->waiting() > 0; ++asked) {
    ASSERT_LT(asked, 10) << "it is asked without end";
    ASSERT_TRUE(model_->awaited());
    EXPECT_TRUE(model_->awaited()->subject.name.ends_with(" in " + repo_.path("repo/sub")))
        << model_->awaited()->subject.name;
    for (size_t i = 0; i < runner_->waiting(); ++i) {
      EXPECT_NE(runner_->command(i).arguments.front(), "status");
    }
    runner_->answer_all();
    update();
  }
  EXPECT_EQ(at_last(), "plain sub ");
  expect_as_git_at_last();
}

// Nobody waits for what was asked about it.
TEST_F(ModelPendingTest, AnUntrustedSubmoduleThatGoesWhileItIsScanned) {
  trusted_ = false;
  commit_submodule();
  start_answered();
  repo_.write("sub/new", "1");
  update();
  ASSERT_EQ(runner_->waiting(), 1u);
  repo_.git({"rm", "-q", "--cached", "sub"});
  update();
  EXPECT_EQ(runner_->cancelled(), 1u);
  expect_as_git_at_last();
}

TEST_F(ModelPendingTest, TheConfigIsReadInTheBackgroundAndRowsGoOn) {
  old_file("mode", "1");
  commit_all();
  start_answered();
  repo_.git({"config", "core.fileMode", "false"});
  ::chmod(at("mode").c_str(), 0755);
  repo_.write("new", "1");
  EXPECT_EQ(now(), "pending");
  take();
  EXPECT_TRUE(told_.untracked.contains("new"));
  expect_as_git_at_last();
  EXPECT_FALSE(told_.tracked.contains("mode"));
}

TEST_F(ModelPendingTest, EverythingMayHaveChangedUntilTheConfigIsKnown) {
  start_answered();
  for (const auto whom : {WorktreeModel::ChangesFor::kGit, WorktreeModel::ChangesFor::kPeople}) {
    const std::string token = model_->changes_since("", whom).token;
    ASSERT_FALSE(model_->changes_since(token, whom).everything);
    repo_.git({"config", "user.name", token});
    const WorktreeModel::Changes meanwhile = model_->changes_since(token, whom);
    EXPECT_TRUE(meanwhile.everything);
    answer_all();
    EXPECT_TRUE(model_->changes_since(meanwhile.token, whom).everything);
  }
}

TEST_F(ModelPendingTest, WhatOnlyGitCanAnswerIsAskedForEachQuestion) {
  start_answered();
  // A path too long for the index's flags.
  const std::string blob = repo_.git_line({"hash-object", "-w", "--stdin"}, "x");
  repo_.git({"update-index", "--add", "--index-info"},
            "100644 " + blob + "\t" + std::string(4096, 'n') + "\n");
  repo_.write("plain", "2");
  EXPECT_EQ(now(), "pending");
  git_may_answer_ = true;
  expect_as_git_at_last();
  ASSERT_TRUE(model_->is_delegated());
  answer_all();
  // git was asked before the second write; whoever asks after it gets another answer.
  repo_.write("plain", "3");
  update();
  ASSERT_GT(runner_->waiting(), 0u);
  repo_.write("new", "1");
  EXPECT_EQ(now(), "pending");
  expect_as_git_at_last();
  EXPECT_TRUE(told_.untracked.contains("new"));
}

TEST_F(ModelPendingTest, NothingIsAskedAgainWhileNothingHappens) {
  commit_filtered();
  commit_submodule();
  start_answered();
  repo_.write("f1", "xyz");
  expect_as_git_at_last();
  answer_all();
  for (int i = 0; i < 5; ++i) {
    update();
    EXPECT_EQ(runner_->waiting(), 0u);
  }
}

TEST_F(ModelPendingTest, WhatNeverSettlesIsAskedOncePerQuestion) {
  commit_submodule();
  repo_.write(".gitmodules", "[submodule \"sub\"]\n\tpath = sub\n\turl = ./sub\n");
  repo_.git({"add", ".gitmodules"});
  make_young_for_good(at(".gitmodules"));
  make_young_for_good(at("sub/.git/HEAD"));
  make_young_for_good(at(".git/config"));
  start_gated();
  answer_all();
  for (int i = 0; i < 3; ++i) {
    const size_t before = runner_->started();
    expect_as_git_at_last();
    EXPECT_LE(runner_->started() - before, 3u) << "config, .gitmodules, sub";
    answer_all();
    EXPECT_LE(runner_->started() - before, 3u) << "nothing is asked because of an answer";
  }
}

TEST_F(ModelPendingTest, WhatNeverSettlesIsAskedOncePerQuestionWhereGitAnswers) {
  git_may_answer_ = true;
  start_answered();
  repo_.write(".git/config",
              "[core]\nrepositoryFormatVersion = 1\n[extensions]\nprecious = true\n");
  make_young_for_good(at(".git/config"));
  make_young_for_good(at(".git/HEAD"));
  answer_all();
  ASSERT_TRUE(model_->is_delegated());
  for (int i = 0; i < 3; ++i) {
    const size_t before = runner_->started();
    (void)at_last();
    answer_all();
    EXPECT_LE(runner_->started() - before, 3u);
  }
}

TEST_F(ModelPendingTest, ASubmoduleThatChangesWhileItIsAskedIsAskedOnceMore) {
  commit_submodule();
  start_answered();
  repo_.write("sub/new", "1");
  update();
  ASSERT_EQ(runner_->waiting(), 1u);
  repo_.git({"-C", "sub", "commit", "-q", "--allow-empty", "-m", "2"});
  const size_t before = runner_->started();
  answer_all();
  EXPECT_EQ(runner_->started() - before, 1u);
  expect_as_git_at_last();
}

// What git makes of it comes after everything else that decides who answers.
TEST_F(ModelPendingTest, AGitmodulesThatIsMendedEndsThatGitAnswers) {
  git_may_answer_ = true;
  commit_submodule();
  repo_.write(".gitmodules", "[submodule \"sub\"]\n\tpath = sub\n\turl = x\n");
  start_answered();
  ASSERT_FALSE(model_->is_delegated());
  repo_.write(".gitmodules", "[submodule\n");
  answer_all();
  ASSERT_TRUE(model_->is_delegated());
  repo_.write(".gitmodules", "");
  answer_all();
  EXPECT_FALSE(model_->is_delegated());
  expect_as_git_at_last();
}

// Without HEAD it is none of git's, which then passes over its config.
TEST_F(ModelPendingTest, WhatGitSaidOfAHalfMadeRepositoryHoldsNoLonger) {
  git_may_answer_ = true;
  start_answered();
  std::filesystem::rename(at(".git/HEAD"), at(".git/elsewhere"));
  repo_.write(".git/config", repo_.read(".git/config") + "[x]\ny = 1\n");
  (void)model_->update();
  ASSERT_GT(runner_->answer_all(), 0u);
  std::filesystem::rename(at(".git/elsewhere"), at(".git/HEAD"));
  answer_all();
  EXPECT_FALSE(model_->is_delegated());
  expect_as_git_at_last();
}

}  // namespace
}  // namespace resident
