// A filter's answer stays valid while its program is unchanged. If the program can read any file,
// the answer is valid for only one question.
#include <gtest/gtest.h>

#include <cstdlib>

#include "model/model_test_support.h"

namespace resident {
namespace {

constexpr const char* kUpper = "#!/bin/sh\nexec tr a-z A-Z\n";
constexpr const char* kOther = "#!/bin/sh\nexec tr a-z B-ZA\n";

class ModelFiltersTest : public ModelTest {
 protected:
  ModelFiltersTest() { git_ = runner_; }
  ~ModelFiltersTest() override { ::setenv("PATH", path_before_.c_str(), 1); }

  // A file with this filter. Its stat data differ from the index.
  void commit_filtered(const std::string& command) {
    repo_.write(".gitattributes", "f filter=up\n");
    repo_.git({"config", "filter.up.clean", command});
    old_file("f", "abc");
    commit_all();
    old_file(".gitattributes", "f filter=up\n");
    repo_.git({"update-index", "--refresh"});
    repo_.write("f", "abc");
  }
  std::string script(const std::string& name, const std::string& content) {
    const std::string path = repo_.path(name);
    testing::write_whole_file(path, content);
    EXPECT_EQ(::chmod(path.c_str(), 0755), 0);
    return path;
  }
  // Renames a new file over the old one, like editors.
  void replace(const std::string& path, const std::string& content) {
    script("replacement", content);
    std::filesystem::rename(repo_.path("replacement"), path);
  }
  // A copy of `tr` as a native program.
  std::string native_program(const std::string& directory, const std::string& name) {
    const std::string path = repo_.path(directory) + "/" + name;
    std::filesystem::create_directories(repo_.path(directory));
    std::filesystem::copy_file("/usr/bin/tr", path);
    return path;
  }
  // Waits until a file written now counts as settled.
  void let_pass() {
    for (const Timestamp since = fs_.now(); fs_.now() == since;) {
    }
  }

  void start_answered() {
    open_gated();
    do {
      (void)model_->update();
      take();
    } while (runner_->answer_all() > 0);
  }
  Result<StatusResult> ask() {
    const auto asked = model_->next_request();
    for (;;) {
      {
        const WorktreeModel::Asking asking(*model_, asked);
        Result<StatusResult> status = model_->answer(query(UntrackedMode::kAll, IgnoredMode::kNo));
        if (status.ok() || status.error().code != ErrorCode::kPending) return status;
      }
      if (runner_->answer_all() == 0) return Error{ErrorCode::kInvalid, "it waits for nobody"};
    }
  }
  void expect_row(bool changed) {
    const Result<StatusResult> status = ask();
    ASSERT_TRUE(status.ok()) << status.error().message;
    EXPECT_EQ(lines_of(*status), git_lines(UntrackedMode::kAll, IgnoredMode::kNo));
    EXPECT_EQ(status->changed.size(), changed ? 1u : 0u);
    expect_told();
    EXPECT_EQ(told_.tracked.size(), changed ? 1u : 0u);
  }
  // The number of filter runs per question, once the config is known.
  size_t runs_of_a_question() {
    while (model_->due()) {
      EXPECT_TRUE(ask().ok());
    }
    const size_t before = runner_->started();
    EXPECT_TRUE(ask().ok());
    return runner_->started() - before;
  }
  void put_on_path(const std::string& directories) {
    path_ = directories + ":" + path_;
    ::setenv("PATH", path_.c_str(), 1);
    repo_.set_environment("PATH", path_);
  }

  const std::string path_before_ = std::getenv("PATH");
  std::string path_ = path_before_;
  const std::shared_ptr<testing::FakeGitRunner> runner_ =
      std::make_shared<testing::FakeGitRunner>();
};

TEST_F(ModelFiltersTest, AScriptThatIsEditedAndBack) {
  const std::string path = script("f.sh", kUpper);
  commit_filtered(path);
  start_answered();
  expect_row(false);
  script("f.sh", kOther);
  expect_row(true);
  script("f.sh", kUpper);
  expect_row(false);
  replace(path, kOther);
  expect_row(true);
  replace(path, kUpper);
  expect_row(false);
}

TEST_F(ModelFiltersTest, AScriptThatAScriptRuns) {
  const std::string inner = script("inner.sh", kUpper);
  commit_filtered(script("f.sh", "#!/bin/sh\nexec " + inner + "\n"));
  start_answered();
  expect_row(false);
  script("inner.sh", kOther);
  expect_row(true);
}

TEST_F(ModelFiltersTest, TheArgumentOfAnInterpreter) {
  script("f.sh", kUpper);
  commit_filtered("sh ../f.sh %f");
  start_answered();
  expect_row(false);
  script("f.sh", kOther);
  expect_row(true);
}

TEST_F(ModelFiltersTest, AShellCommand) {
  testing::write_whole_file(repo_.path("set"), "A-Z");
  commit_filtered("tr a-z $(cat ../set) | cat");
  start_answered();
  expect_row(false);
  testing::write_whole_file(repo_.path("set"), "B-ZA");
  expect_row(true);
}

TEST_F(ModelFiltersTest, AProcessThatIsEdited) {
  // The output of a filter process for the only file that git asks about.
  const auto process = [&](const std::string& content) {
    return script("process.sh",
                  "#!/bin/sh\nprintf '0016git-filter-server\\n000eversion=2\\n0000"
                  "0015capability=clean\\n00000013status=success\\n00000007" +
                      content + "00000000'\ncat >/dev/null\n");
  };
  commit_filtered(script("f.sh", kUpper));
  repo_.git({"config", "filter.up.process", process("ABC")});
  start_answered();
  expect_row(false);
  process("BCD");
  expect_row(true);
  process("ABC");
  expect_row(false);
}

TEST_F(ModelFiltersTest, WithoutAQuestionNothingIsAskedAgain) {
  commit_filtered(script("f.sh", kUpper));
  start_answered();
  expect_row(false);
  const size_t before = runner_->started();
  repo_.write("new", "");
  for (int i = 0; i < 3; ++i) update();
  EXPECT_EQ(runner_->started(), before);
  EXPECT_EQ(runs_of_a_question(), 1u);
  EXPECT_EQ(runs_of_a_question(), 1u);
}

TEST_F(ModelFiltersTest, OnlyAQuestionAboutTheFileAsksAgain) {
  old_file("plain", "1");
  commit_filtered(script("f.sh", kUpper));
  start_answered();
  expect_row(false);
  StatusQuery of_plain;
  of_plain.pathspec =
      std::make_shared<const Pathspec>(*Pathspec::parse(std::vector<std::string>{"plain"}, {}));
  const WorktreeModel::Asking asking(*model_, model_->next_request());
  EXPECT_TRUE(model_->answer(of_plain).ok());
  EXPECT_TRUE(model_->ignored({"f"}).ok());
  EXPECT_EQ(runner_->waiting(), 0u);
}

TEST_F(ModelFiltersTest, TheSweepAsksAgain) {
  commit_filtered(script("f.sh", kUpper));
  start_answered();
  expect_row(false);
  script("f.sh", kOther);
  (void)model_->sweep(1000);
  ASSERT_GT(runner_->answer_all(), 0u);
  update();
  expect_told();
  EXPECT_TRUE(told_.tracked.contains("f"));
}

TEST_F(ModelFiltersTest, ARescanAsksAgain) {
  commit_filtered(script("f.sh", kUpper));
  start_answered();
  script("f.sh", kOther);
  expect_row(true);
  script("f.sh", kUpper);
  model_->freshness().events().mark_desynced("a rescan");
  update();
  EXPECT_GT(runner_->waiting(), 0u);
  expect_row(false);
}

TEST_F(ModelFiltersTest, AFilterThatFailedIsAskedAgain) {
  const std::string path = native_program("bin", "git-lfs");
  commit_filtered(path + " a-z A-Z");
  repo_.git({"config", "filter.up.required", "true"});
  start_answered();
  expect_row(false);
  std::filesystem::rename(path, path + ".gone");
  git_may_answer_ = true;
  EXPECT_FALSE(ask().ok());
  std::filesystem::rename(path + ".gone", path);
  const Result<StatusResult> status = ask();
  ASSERT_TRUE(status.ok()) << status.error().message;
  EXPECT_EQ(lines_of(*status), git_lines(UntrackedMode::kAll, IgnoredMode::kNo));
}

TEST_F(ModelFiltersTest, GitLfsIsAskedOnce) {
  const std::string path = native_program("bin", "git-lfs");
  let_pass();
  put_on_path(repo_.path("bin"));
  commit_filtered("git-lfs a-z A-Z");
  start_answered();
  expect_row(false);
  EXPECT_EQ(runs_of_a_question(), 0u);
  // A different program with the same name.
  std::filesystem::remove(path);
  testing::write_whole_file(path, kOther);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  expect_row(true);
  EXPECT_EQ(runs_of_a_question(), 1u) << "a script of that name can run anything";
}

TEST_F(ModelFiltersTest, AnotherGitLfsThatComesFirstOnPath) {
  native_program("bin", "git-lfs");
  std::filesystem::create_directories(repo_.path("first"));
  let_pass();
  put_on_path(repo_.path("first") + ":" + repo_.path("bin"));
  commit_filtered("git-lfs a-z A-Z");
  start_answered();
  expect_row(false);
  EXPECT_EQ(runs_of_a_question(), 0u);
  script("first/git-lfs", kOther);
  expect_row(true);
  std::filesystem::remove(repo_.path("first/git-lfs"));
  expect_row(false);
  std::filesystem::create_directories(repo_.path("second"));
  script("second/git-lfs", kOther);
  put_on_path(repo_.path("second"));
  expect_row(true);
}

TEST_F(ModelFiltersTest, ExtensionsOfGitLfsCanRunAnything) {
  native_program("bin", "git-lfs");
  let_pass();
  put_on_path(repo_.path("bin"));
  commit_filtered("git-lfs a-z A-Z");
  repo_.git({"config", "lfs.extension.x.clean", "cat"});
  start_answered();
  EXPECT_EQ(runs_of_a_question(), 1u);
}

TEST_F(ModelFiltersTest, AFilterThatHangsKeepsOnlyItsOwnQuestionsWaiting) {
  old_file("plain", "1");
  commit_filtered(script("f.sh", kUpper));
  start_answered();
  expect_row(false);
  {
    const WorktreeModel::Asking asking(*model_, model_->next_request());
    const auto status = model_->answer({});
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::kPending);
  }
  repo_.write("plain", "22");
  update();
  take();
  EXPECT_TRUE(told_.tracked.contains("plain"));
  EXPECT_FALSE(told_.tracked.contains("f"));
  EXPECT_EQ(runner_->waiting(), 1u);
}

TEST_F(ModelFiltersTest, AFilterOfASubmodule) {
  repo_.git({"init", "-q", "sub"});
  repo_.write("sub/.gitattributes", "f filter=up\n");
  repo_.git({"-C", "sub", "config", "filter.up.clean", script("f.sh", kUpper)});
  old_file("sub/f", "abc");
  repo_.git({"-C", "sub", "add", "-A"});
  repo_.git({"-C", "sub", "commit", "-q", "-m", "1"});
  commit_all();
  repo_.write("sub/f", "abc");
  start_answered();
  expect_row(false);
  script("f.sh", kOther);
  expect_row(true);
  script("f.sh", kUpper);
  expect_row(false);
}

TEST_F(ModelFiltersTest, ASubmoduleWithGitLfsIsAskedOnce) {
  const std::string path = native_program("bin", "git-lfs");
  let_pass();
  put_on_path(repo_.path("bin"));
  repo_.git({"init", "-q", "sub"});
  repo_.write("sub/.gitattributes", "f filter=lfs\n");
  repo_.git({"-C", "sub", "config", "filter.lfs.clean", "git-lfs a-z A-Z"});
  old_file("sub/f", "abc");
  repo_.git({"-C", "sub", "add", "-A"});
  repo_.git({"-C", "sub", "commit", "-q", "-m", "1"});
  commit_all();
  repo_.write("sub/f", "abc");
  start_answered();
  expect_row(false);
  EXPECT_EQ(runs_of_a_question(), 0u);
  std::filesystem::remove(path);
  script("bin/git-lfs", kOther);
  expect_row(true);
}

TEST_F(ModelFiltersTest, AFilterWhereGitAnswers) {
  commit_filtered(script("f.sh", kUpper));
  repo_.git({"config", "attr.tree", "HEAD"});
  git_may_answer_ = true;
  start_answered();
  ASSERT_TRUE(model_->is_delegated());
  expect_row(false);
  script("f.sh", kOther);
  expect_row(true);
  script("f.sh", kUpper);
  expect_row(false);
}

TEST_F(ModelFiltersTest, GitLfsWhereGitAnswers) {
  const std::string path = native_program("bin", "git-lfs");
  let_pass();
  put_on_path(repo_.path("bin"));
  commit_filtered("git-lfs a-z A-Z");
  repo_.git({"config", "attr.tree", "HEAD"});
  git_may_answer_ = true;
  start_answered();
  ASSERT_TRUE(model_->is_delegated());
  expect_row(false);
  EXPECT_EQ(runs_of_a_question(), 0u);
  std::filesystem::remove(path);
  script("bin/git-lfs", kOther);
  expect_row(true);
  // The model does not ask on its own about answers that are never valid for long.
  (void)runs_of_a_question();
  const size_t before = runner_->started();
  for (int i = 0; i < 3; ++i) update();
  EXPECT_EQ(runner_->started(), before);
}

}  // namespace
}  // namespace resident
