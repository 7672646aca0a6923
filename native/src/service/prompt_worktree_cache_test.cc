// Worktrees that a prompt keeps itself, and questions to the process that keeps a worktree.
#include "service/prompt_worktree_cache.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "fs/linux/posix_file_system.h"
#include "git/git_program.h"
#include "ipc/socket_path.h"
#include "ipc/socket_protocol.h"
#include "ipc/socket_verbs.h"
#include "service/resident_test_support.h"
#include "verbs/prompt_question.h"

namespace resident {
namespace {

using testing::RepoBuilder;
using testing::ResidentTest;
using testing::value_of;

class OwnWorktreesTest : public ResidentTest {
 protected:
  using Clock = PromptWorktreeCache::Clock;

  PromptWorktreeCache::Options options(uint64_t budget = 1000) {
    return {.threads = 1, .watch_budget = budget, .now = [this] { return now_; }};
  }

  Clock::time_point now_ = Clock::now();
};

TEST_F(OwnWorktreesTest, KeepsWhatIsAskedAboutUntilItIsIdle) {
  PromptWorktreeCache own(posix_file_system(), options());
  EXPECT_EQ(value_of(own.ask(repo_.work(), {})).index_size, 3u);
  repo_.write("f", "changed");
  repo_.write("new", "");
  const PromptStatus status = value_of(own.ask(repo_.work(), {}));
  EXPECT_EQ(status.unstaged, 1u);
  EXPECT_EQ(status.untracked, 1u);
  EXPECT_EQ(status.branch, "main");
  EXPECT_EQ(own.kept(), 1u);
  EXPECT_GT(own.directories(), 0u);
  now_ += std::chrono::seconds(10);
  own.release_idle(std::chrono::seconds(11));
  EXPECT_EQ(own.kept(), 1u);
  own.release_idle(std::chrono::seconds(10));
  EXPECT_EQ(own.kept(), 0u);
  EXPECT_EQ(value_of(own.ask(repo_.work(), {})).untracked, 1u);
  own.release(repo_.work());
  EXPECT_EQ(own.kept(), 0u);
}

TEST_F(OwnWorktreesTest, WhatIsOverBudgetIsScannedWithEachQuestion) {
  PromptWorktreeCache own(posix_file_system(), options(0));
  for (size_t i = 0; i < 3; ++i) {
    repo_.write("new" + std::to_string(i), "");
    EXPECT_EQ(value_of(own.ask(repo_.work(), {})).untracked, i + 1);
    EXPECT_EQ(own.kept(), 0u);
  }
}

TEST_F(OwnWorktreesTest, TheOneThatWasAskedAboutLongestAgoGoesFirst) {
  const std::string first = repo_.work();
  RepoBuilder other;
  other.init();
  uint64_t both = 0;
  {
    PromptWorktreeCache own(posix_file_system(), options());
    (void)value_of(own.ask(first, {}));
    (void)value_of(own.ask(other.work(), {}));
    EXPECT_EQ(own.kept(), 2u);
    both = own.directories();
  }
  PromptWorktreeCache own(posix_file_system(), options(both - 1));
  (void)value_of(own.ask(first, {}));
  // Also within one tick of the clock.
  (void)value_of(own.ask(other.work(), {}));
  EXPECT_EQ(own.kept(), 1u);
  own.release(other.work());
  EXPECT_EQ(own.kept(), 0u);
}

TEST_F(OwnWorktreesTest, AWorktreeThatComesBackIsKeptAnew) {
  PromptWorktreeCache own(posix_file_system(), options());
  (void)value_of(own.ask(repo_.work(), {}));
  std::filesystem::remove_all(repo_.work());
  EXPECT_FALSE(own.ask(repo_.work(), {}).ok());
  EXPECT_FALSE(own.ask(repo_.work(), {}).ok());
  repo_.init();
  EXPECT_EQ(value_of(own.ask(repo_.work(), {})).commit, "");
}

// Either a question finds that the worktree is gone, or the process already knows. Both happen
// here.
TEST_F(OwnWorktreesTest, AWorktreeThatWasReplacedIsAnsweredForAtOnce) {
  PromptWorktreeCache own(posix_file_system(), options());
  for (int times = 0; times < 20; ++times) {
    (void)value_of(own.ask(repo_.work(), {}));
    std::filesystem::remove_all(repo_.work());
    repo_.init();
    repo_.write("new", "");
    const Result<PromptStatus> status = own.ask(repo_.work(), {});
    ASSERT_TRUE(status.ok()) << times << ": " << status.error().message;
    EXPECT_EQ(status->untracked, 1u);
  }
}

TEST_F(OwnWorktreesTest, ARepositoryThatMovedIsAnsweredForAtOnceAndKept) {
  PromptWorktreeCache::Options how = options();
  how.trusted = false;
  PromptWorktreeCache own(posix_file_system(), how);
  (void)value_of(own.ask(repo_.work(), {}));
  for (const char* place : {"one", "two"}) {
    repo_.git({"init", "-q", "--separate-git-dir", repo_.path(place)});
    repo_.write(std::string("new-") + place, "");
    const Result<PromptStatus> status = own.ask(repo_.work(), {});
    ASSERT_TRUE(status.ok()) << place << ": " << status.error().message;
    EXPECT_EQ(status->index_size, 3u);
    EXPECT_EQ(own.kept(), 1u);
  }
  EXPECT_EQ(value_of(own.ask(repo_.work(), {})).untracked, 2u);
}

TEST_F(OwnWorktreesTest, ALinkedWorktreeThatWasRepairedIsAnsweredForAtOnce) {
  PromptWorktreeCache::Options how = options();
  how.trusted = false;
  PromptWorktreeCache own(posix_file_system(), how);
  const std::string linked = repo_.path("linked");
  repo_.git({"worktree", "add", "-q", linked});
  EXPECT_EQ(value_of(own.ask(linked, {})).branch, "linked");
  std::filesystem::rename(repo_.work(), repo_.path("renamed"));
  EXPECT_FALSE(own.ask(linked, {}).ok());
  repo_.enter("renamed");
  repo_.git({"worktree", "repair", linked});
  const Result<PromptStatus> status = own.ask(linked, {});
  ASSERT_TRUE(status.ok()) << status.error().message;
  EXPECT_EQ(status->branch, "linked");
}

TEST_F(OwnWorktreesTest, OnlyARootIsKept) {
  PromptWorktreeCache own(posix_file_system(), options());
  EXPECT_FALSE(own.ask(at("d"), {}).ok());
  EXPECT_EQ(own.kept(), 0u);
}

class PromptSocketTest : public ResidentTest {
 protected:
  Result<PromptReply> ask(PromptQuestion question) {
    RESIDENT_TRY(const std::string path, socket_path(repo_.work()));
    RESIDENT_TRY(const UniqueFd socket, connect_to(path));
    RESIDENT_CHECK(send_message(socket.get(), encode_question(question)));
    RESIDENT_TRY(const std::string payload, receive_message(socket.get()));
    return decode_prompt_reply(payload);
  }
  PromptQuestion question() {
    PromptQuestion made;
    made.client.environment = deciding_environment(repo_.work());
    made.client.git = identity_of(*git_on_path());
    return made;
  }
};

TEST_F(PromptSocketTest, IsAnsweredByWhoKeepsTheWorktree) {
  const auto resident = open(recorder_, true);
  recorder_.await_watching();
  // The socket exists before the first delta.
  repo_.write("f", "changed");
  const PromptReply reply = value_of(ask(question()));
  EXPECT_EQ(reply.kind, PromptReply::Kind::kOk);
  EXPECT_EQ(reply.status.worktree, repo_.work());
  EXPECT_EQ(reply.status.unstaged, 1u);
  PromptQuestion without_index = question();
  without_index.query.index = false;
  EXPECT_EQ(value_of(ask(without_index)).status.unstaged, 0u);
}

TEST_F(PromptSocketTest, NobodyIsAnsweredForAnotherPlaceOrGit) {
  const auto resident = open(recorder_, true);
  recorder_.await_watching();
  PromptQuestion elsewhere = question();
  elsewhere.client.environment += "GIT_X=1\n";
  EXPECT_EQ(value_of(ask(elsewhere)).kind, PromptReply::Kind::kError);
  PromptQuestion other_dir = question();
  other_dir.client.git_dir = "/elsewhere";
  EXPECT_EQ(value_of(ask(other_dir)).kind, PromptReply::Kind::kError);
  PromptQuestion other_git = question();
  other_git.client.git = "another";
  EXPECT_EQ(value_of(ask(other_git)).kind, PromptReply::Kind::kVersion);
  other_git.client.git_version = "2.26.0";
  const PromptReply refused = value_of(ask(other_git));
  EXPECT_EQ(refused.kind, PromptReply::Kind::kError);
  EXPECT_NE(refused.message.find("2.26.0"), std::string::npos) << refused.message;
}

TEST_F(PromptSocketTest, IsAnsweredByGitWhereOnlyThatReadsTheRepository) {
  repo_.write(".git/info/grafts", "");
  const auto resident = open(recorder_, true);
  recorder_.await("delegated",
                  [](const auto& seen) { return seen.state.kind == ModelState::Kind::kDelegated; });
  const PromptReply reply = value_of(ask(question()));
  EXPECT_EQ(reply.kind, PromptReply::Kind::kOk) << reply.message;
  EXPECT_EQ(reply.status.index_size, 3u);
  PromptQuestion other_git = question();
  other_git.client.git = "another";
  EXPECT_EQ(value_of(ask(other_git)).kind, PromptReply::Kind::kError);
}

TEST_F(OwnWorktreesTest, OnlyWhoTrustsHasGitAnswer) {
  repo_.write(".git/info/grafts", "");
  for (const uint64_t budget : {1000, 0}) {
    PromptWorktreeCache::Options how = options(budget);
    how.trusted = false;
    EXPECT_FALSE(PromptWorktreeCache(posix_file_system(), how).ask(repo_.work(), {}).ok());
    how.trusted = true;
    PromptWorktreeCache own(posix_file_system(), how);
    EXPECT_EQ(value_of(own.ask(repo_.work(), {})).index_size, 3u);
    repo_.write("new", "");
    EXPECT_EQ(value_of(own.ask(repo_.work(), {})).untracked, 1u);
  }
}

TEST(PromptQuestionTest, CrossesTheSocketAsItWas) {
  PromptQuestion question;
  question.client = {"/g", "/g/index", "HOME=/h\n", "git", "2.39.5"};
  question.query.recurse_untracked = true;
  const std::string bytes = encode_question(question);
  std::string_view fields = bytes;
  EXPECT_EQ(value_of(parse_verb(fields)), SocketVerb::kPrompt);
  EXPECT_EQ(encode_question(value_of(decode_prompt_question(fields))), bytes);
  for (size_t size = 0; size < fields.size(); ++size) {
    EXPECT_FALSE(decode_prompt_question(fields.substr(0, size)).ok()) << size;
  }
  EXPECT_FALSE(decode_prompt_question(std::string(fields) + "x").ok());
  const PromptReply error{PromptReply::Kind::kError, "why", {}};
  EXPECT_EQ(value_of(decode_prompt_reply(encode_reply(error))).message, "why");
  EXPECT_FALSE(decode_prompt_reply("nothing").ok());
}

}  // namespace
}  // namespace resident
