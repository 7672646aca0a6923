// No call waits for git: submodules, questions to git, and files that never settle. The test
// decides when git answers.
#include <gtest/gtest.h>

#include "model/pending_model_test_support.h"

namespace resident {
namespace {

// A file with tomorrow's time never counts as settled.
void make_young_for_good(const std::string& path) {
  const timespec tomorrow{::time(nullptr) + 86'400, 0};
  const timespec times[2] = {tomorrow, tomorrow};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
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
  // Its row stays while git is asked again.
  repo_.git({"-C", "sub", "clean", "-q", "-f"});
  update();
  take();
  EXPECT_TRUE(told_.tracked.contains("sub"));
  expect_as_git_at_last();
  EXPECT_FALSE(told_.tracked.contains("sub"));
}

// git finds the submodule and reads its config in the background. It does not run git status there.
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

// The questions about the removed submodule have no effect.
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
  // git was asked before the second write. A question after the write needs a newer answer.
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

// git's answer about .gitmodules arrives after everything else that decides who answers.
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

// Without HEAD, git does not accept the repository, and ignores its config.
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
