// Compares the prompt's facts from git with the model's own facts.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/model_test_support.h"

namespace resident {
namespace {

// Formats every field as "name=value".
std::vector<std::string> fields_of(const Result<PromptStatus>& status) {
  if (!status.ok()) return {"error: " + status.error().message};
  std::vector<std::string> fields;
  const auto add = [&](std::string_view name, const auto& value) {
    std::string text(name);
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, uint64_t>) {
      fields.push_back(text + "=" + std::to_string(value));
    } else {
      fields.push_back(text + "=" + value);
    }
  };
  visit_prompt_fields(*status, add);
  visit_description_fields(*status, add);
  return fields;
}

std::vector<PromptQuery> queries() {
  std::vector<PromptQuery> all(4);
  all[1].index = false;
  all[2].recurse_untracked = true;
  all[2].describe = all[2].describe_tags = true;
  all[3].ignore_status_show_untracked = true;
  all[3].ignore_bash_show_untracked = all[3].ignore_bash_show_dirty = true;
  all[3].tag = false;
  return all;
}

class PromptByGitTest : public ModelTest {
 protected:
  // git must answer with this setting. Its answers stay the same.
  void leave_to_git() { repo_.git({"config", "attr.tree", "HEAD"}); }
  void leave_to_us() { repo_.git({"config", "--unset", "attr.tree"}); }

  void expect_same(const std::string& when, const std::vector<std::string>& fields = {}) {
    SCOPED_TRACE(when);
    std::vector<std::vector<std::string>> ours;
    for (const PromptQuery& query : queries()) ours.push_back(fields_of(model_->prompt(query)));
    EXPECT_FALSE(model_->is_delegated());
    for (const std::string& field : fields) {
      EXPECT_NE(std::find(ours[0].begin(), ours[0].end(), field), ours[0].end())
          << field << " of " << ::testing::PrintToString(ours[0]);
    }
    leave_to_git();
    size_t i = 0;
    for (const PromptQuery& query : queries()) {
      EXPECT_EQ(fields_of(model_->prompt(query)), ours[i]) << "query " << i;
      ++i;
    }
    EXPECT_TRUE(model_->is_delegated());
    leave_to_us();
  }
  void commit(const std::string& content) {
    repo_.write("f", content);
    repo_.git({"add", "f"});
    repo_.git({"commit", "-q", "-m", content});
  }
  // Makes two branches, main and topic, that changed the same line.
  void make_conflict() {
    commit("base\n");
    repo_.git({"checkout", "-q", "-b", "topic"});
    commit("topic 1\n");
    commit("topic 2\n");
    repo_.git({"checkout", "-q", "main"});
    commit("main\n");
  }
};

TEST_F(PromptByGitTest, CountsWhatTheModelCounts) {
  start_on_inotify();
  expect_same("nothing");
  repo_.write("new", "1");
  repo_.git({"add", "new"});
  expect_same("before the first commit", {"staged=1", "staged-new=1", "commit="});
  for (const char* name : {"a", "b", "c", "d/e", "d/f", "old"}) repo_.write(name, name);
  commit_all();
  expect_same("clean", {"index-size=7", "branch=main", "summary=all"});
  repo_.write("a", "other");
  std::filesystem::remove(at("b"));
  repo_.git({"mv", "old", "moved"});
  repo_.git({"rm", "-q", "c"});
  repo_.write("intended", "1");
  repo_.git({"add", "-N", "intended"});
  repo_.write("u/1", "1");
  repo_.write("u/2", "1");
  expect_same("changes", {"staged=3", "staged-new=1", "staged-deleted=2", "unstaged=3",
                          "unstaged-deleted=1", "untracked=1"});
  repo_.git({"update-index", "--assume-unchanged", "d/e"});
  repo_.git({"update-index", "--skip-worktree", "d/f"});
  std::filesystem::remove(at("d/f"));
  expect_same("bits", {"assume-unchanged=1", "skip-worktree=1"});
  repo_.git({"config", "status.showUntrackedFiles", "no"});
  expect_same("untracked ones hidden", {"untracked=0", "unstaged=3"});
  repo_.git({"config", "status.showUntrackedFiles", "all"});
  expect_same("a setting that counts nothing", {"untracked=1"});
  repo_.git({"config", "bash.showDirtyState", "false"});
  expect_same("changes hidden", {"unstaged=0", "staged=0", "untracked=1"});
}

TEST_F(PromptByGitTest, NamesTagsAndMessages) {
  start_on_inotify();
  repo_.git({"-c", "i18n.commitEncoding=latin1", "commit", "-q", "--allow-empty", "-m",
             "one\nline\n\nand \xe9 more"});
  expect_same("an encoding", {"encoding=latin1", "summary=one line"});
  repo_.git({"tag", "b"});
  repo_.git({"tag", "-a", "-m", "x", "a"});
  repo_.git({"tag", "-a", "-m", "x", "nested/c", "a"});
  expect_same("tags", {"tag=nested/c"});
  repo_.git({"tag", "z", "HEAD^{tree}"});
  repo_.write(".git/refs/tags/zz", std::string(40, '1') + "\n");
  repo_.write(".git/refs/tags/zzz", "");
  expect_same("a tag of a tree, and such as lead nowhere", {"tag=nested/c"});
  repo_.git({"pack-refs", "--all"});
  repo_.git({"commit", "-q", "--allow-empty", "-m", "two"});
  expect_same("a commit behind them", {"tag="});
  repo_.git({"checkout", "-q", "--detach", "HEAD~1"});
  expect_same("detached", {"branch=", "tag=nested/c"});
}

TEST_F(PromptByGitTest, ComparesWithRemotes) {
  make_conflict();
  start_on_inotify();
  repo_.git({"config", "remote.origin.url", "gh:a"});
  repo_.git({"config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"});
  repo_.git({"config", "remote.mine.url", "/mine"});
  repo_.git({"config", "remote.mine.fetch", "+refs/heads/*:refs/remotes/mine/x/*"});
  repo_.git({"config", "url.https://x/.insteadOf", "gh:"});
  repo_.git({"config", "branch.main.remote", "origin"});
  repo_.git({"config", "branch.main.merge", "refs/heads/trunk"});
  expect_same("an upstream that is gone", {"upstream=", "remote=", "ahead=0"});
  repo_.git({"update-ref", "refs/remotes/origin/trunk", "topic"});
  expect_same("an upstream", {"upstream=trunk", "remote=origin", "remote-url=https://x/a",
                              "ahead=1", "behind=2", "push-remote="});
  repo_.git({"config", "remote.pushDefault", "mine"});
  expect_same("a push remote without the ref", {"push-remote="});
  repo_.git({"update-ref", "refs/remotes/mine/x/main", "main~1"});
  expect_same("a push remote", {"push-remote=mine", "push-url=/mine", "push-ahead=1"});
  repo_.git({"config", "branch.main.pushRemote", "."});
  expect_same("pushed to the repository itself", {"push-remote=.", "push-url=", "push-ahead=0"});
  repo_.git({"config", "branch.main.remote", "."});
  repo_.git({"config", "branch.main.merge", "refs/heads/topic"});
  expect_same("a branch of the repository", {"upstream=topic", "remote=.", "behind=2"});
  repo_.git({"symbolic-ref", "HEAD", "refs/heads/unborn"});
  repo_.git({"config", "branch.unborn.remote", "."});
  repo_.git({"config", "branch.unborn.merge", "refs/heads/topic"});
  expect_same("an unborn branch", {"branch=unborn", "commit=", "upstream=topic", "ahead=0"});
}

TEST_F(PromptByGitTest, TellsWhatGitIsInTheMiddleOf) {
  make_conflict();
  start_on_inotify();
  const auto tell = [&](std::vector<std::string> begin, const std::string& action,
                        std::vector<std::string> end) {
    (void)repo_.try_git(begin);
    expect_same(begin.front(), {"action=" + action});
    repo_.git(end);
  };
  tell({"merge", "topic"}, "merge", {"merge", "--abort"});
  tell({"cherry-pick", "topic~1"}, "cherry", {"cherry-pick", "--abort"});
  tell({"cherry-pick", "topic~1", "topic"}, "cherry-seq", {"cherry-pick", "--abort"});
  tell({"revert", "topic"}, "revert", {"revert", "--abort"});
  tell({"rebase", "topic"}, "rebase-i 1/1", {"rebase", "--abort"});
  tell({"rebase", "--apply", "topic"}, "rebase 1/1", {"rebase", "--abort"});
  tell({"bisect", "start"}, "bisect", {"bisect", "reset"});
  for (const char* content : {"1", "2", "3"}) {
    repo_.write("f", content);
    repo_.git({"stash", "-q"});
  }
  expect_same("stashes", {"stashes=3"});
  repo_.git({"stash", "drop", "-q", "stash@{1}"});
  expect_same("one of them is gone", {"stashes=2"});
  repo_.git({"stash", "clear"});
  repo_.git({"update-ref", "refs/heads/REVERT_HEAD", "HEAD"});
  expect_same("a branch of such a name", {"action=", "stashes=0"});
}

TEST_F(PromptByGitTest, GraftedHistoryIsCountedAsGitDoes) {
  for (int i = 0; i < 4; ++i) repo_.git({"commit", "-q", "--allow-empty", "-m", "x"});
  repo_.git({"branch", "base", "HEAD~3"});
  repo_.git({"branch", "-q", "--set-upstream-to=base"});
  start_gated();
  EXPECT_EQ(model_->prompt({})->ahead, 3u);
  repo_.write(".git/info/grafts", repo_.git_line({"rev-parse", "HEAD"}) + " " +
                                      repo_.git_line({"rev-parse", "base"}) + "\n");
  const auto status = model_->prompt({});
  ASSERT_TRUE(status.ok()) << status.error().message;
  EXPECT_TRUE(model_->is_delegated());
  EXPECT_EQ(status->ahead, 1u);
  EXPECT_EQ(status->worktree, repo_.work());
}

TEST_F(PromptByGitTest, AskedTwiceWithoutAChangeGitIsAskedOnce) {
  make_conflict();
  repo_.git({"tag", "v1"});
  leave_to_git();
  start_gated();
  fs_.run_ahead(100);
  ASSERT_TRUE(model_->prompt({}).ok());
  ASSERT_TRUE(model_->prompt({}).ok());
  const uint64_t before = model_->git_fallback().runs();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(model_->prompt({})->unstaged, 0u);
  EXPECT_EQ(model_->git_fallback().runs(), before);
  repo_.write("f", "changed");
  EXPECT_EQ(model_->prompt({})->unstaged, 1u);
  EXPECT_GT(model_->git_fallback().runs(), before);
  repo_.git({"tag", "v2"});
  EXPECT_EQ(model_->prompt({})->tag, "v2");
}

TEST_F(PromptByGitTest, OfOneQuestionOnlyWhatOnlyGitCanTell) {
  commit("1");
  repo_.git({"update-ref", "refs/tags/HEAD", "HEAD"});
  start_on_inotify();
  EXPECT_EQ(model_->prompt({})->branch, "main") << "the one of the worktree comes first";
  repo_.git({"symbolic-ref", "HEAD", "refs/heads/unborn"});
  for (int i = 0; i < 2; ++i) {
    const auto status = model_->prompt({});
    ASSERT_TRUE(status.ok()) << status.error().message;
    EXPECT_FALSE(model_->is_delegated());
    EXPECT_EQ(status->commit, repo_.git_line({"rev-parse", "refs/tags/HEAD"}));
    EXPECT_EQ(status->branch, "unborn");
  }
  repo_.git({"update-ref", "-d", "refs/tags/HEAD"});
  EXPECT_EQ(model_->prompt({})->commit, "");
}

TEST_F(PromptByGitTest, WhatGitRefusesIsAnError) {
  commit("1");
  leave_to_git();
  start_on_inotify();
  repo_.write(".git/refs/heads/main", std::string(40, '1') + "\n");
  PromptQuery without_index;
  without_index.index = false;
  EXPECT_FALSE(model_->prompt({}).ok());
  EXPECT_FALSE(model_->prompt(without_index).ok());
}

TEST_F(PromptByGitTest, UntrustedGitIsNotAsked) {
  commit("1");
  leave_to_git();
  trusted_ = false;
  open_model(&fake_);
  EXPECT_FALSE(model_->scan().ok());
  EXPECT_EQ(model_->prompt({}).error().code, ErrorCode::kUnsafe);
}

// git runs in the background.
class PromptByGitInBackgroundTest : public PromptByGitTest {
 protected:
  PromptByGitInBackgroundTest() {
    git_ = runner_;
    wake_ = [] {};
  }
  void open() {
    open_gated();
    while (runner_->answer_all() > 0) (void)model_->update();
  }
  Result<PromptStatus> ask() {
    const WorktreeModel::RequestId moment = model_->next_request();
    for (int rounds = 0;; ++rounds) {
      const WorktreeModel::Asking asking(*model_, moment);
      Result<PromptStatus> status = model_->prompt({});
      if (status.ok() || status.error().code != ErrorCode::kPending || rounds == 20) return status;
      runner_->answer_all();
    }
  }
  const std::shared_ptr<testing::FakeGitRunner> runner_ =
      std::make_shared<testing::FakeGitRunner>();
};

TEST_F(PromptByGitInBackgroundTest, IsPendingUntilGitHasAnswered) {
  make_conflict();
  repo_.git({"tag", "v1"});
  leave_to_git();
  open();
  ASSERT_TRUE(model_->is_delegated());
  EXPECT_EQ(model_->prompt({}).error().code, ErrorCode::kPending);
  EXPECT_GT(runner_->waiting(), 0u);
  for (int i = 0; i < 3; ++i) {
    repo_.write("f", std::to_string(i));
    const auto status = ask();
    ASSERT_TRUE(status.ok()) << status.error().message;
    EXPECT_EQ(status->unstaged, 1u);
    EXPECT_EQ(status->tag, "v1");
  }
}

TEST_F(PromptByGitInBackgroundTest, SoIsAQuestionThatOnlyGitCanAnswer) {
  commit("1");
  repo_.git({"update-ref", "refs/tags/HEAD", "HEAD"});
  repo_.git({"symbolic-ref", "HEAD", "refs/heads/unborn"});
  open();
  for (const char* content : {"1", "2"}) {
    repo_.write("f", content);
    const auto status = ask();
    ASSERT_TRUE(status.ok()) << status.error().message;
    EXPECT_FALSE(model_->is_delegated());
    EXPECT_EQ(status->branch, "unborn");
    EXPECT_EQ(status->unstaged, *content == '2' ? 1u : 0u);
  }
}

}  // namespace
}  // namespace resident
