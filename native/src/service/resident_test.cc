// Deltas and answers of a whole Resident within the process.
#include "service/resident.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "service/index_lock.h"
#include "service/resident_test_support.h"

namespace resident {
namespace {

using testing::kPatience;
using testing::Recorder;
using testing::ResidentTest;

namespace stdfs = std::filesystem;

TEST_F(ResidentTest, TellsTheFirstAnswerThenWhatChanges) {
  repo_.write("f", "changed");
  repo_.write("new", "1");
  auto resident = open();
  EXPECT_EQ(resident->identity().root, repo_.work());
  EXPECT_EQ(resident->identity().git_dir, at(".git"));
  const Seen first = recorder_.await_watching();
  EXPECT_EQ(first.tracked, (std::map<std::string, char>{{"f", 'M'}}));
  EXPECT_EQ(first.untracked, std::set<std::string>{"new"});
  EXPECT_EQ(first.branch, "main");
  EXPECT_EQ(first.kinds.front(), ModelState::Kind::kScanning);

  repo_.write("d/h", "1");
  recorder_.await("a new file", [](const Seen& seen) { return seen.untracked.contains("d/h"); });
  stdfs::remove(at("d/h"));
  recorder_.await("it is gone", [](const Seen& seen) { return !seen.untracked.contains("d/h"); });
  stdfs::create_directories(at("x/y"));
  repo_.write("x/y/z", "1");
  recorder_.await("in a new directory",
                  [](const Seen& seen) { return seen.untracked.contains("x/y/z"); });
  stdfs::rename(at("x"), at("w"));
  recorder_.await("moved", [](const Seen& seen) {
    return seen.untracked.contains("w/y/z") && !seen.untracked.contains("x/y/z");
  });
  repo_.write("w/y/z2", "1");
  recorder_.await("below it", [](const Seen& seen) { return seen.untracked.contains("w/y/z2"); });
}

TEST_F(ResidentTest, FollowsWhatGitDoes) {
  auto resident = open();
  recorder_.await_watching();
  repo_.write("f", "1");
  repo_.write("new", "1");
  recorder_.await("changed", [](const Seen& seen) { return seen.tracked.contains("f"); });
  repo_.git({"add", "-A"});
  recorder_.await("staged", [](const Seen& seen) {
    return seen.tracked.contains("new") && seen.tracked.at("new") == 'A' && seen.untracked.empty();
  });
  repo_.git({"commit", "-q", "-m", "2"});
  recorder_.await("clean", [](const Seen& seen) { return seen.tracked.empty(); });
  repo_.git({"checkout", "-q", "-b", "other/branch"});
  recorder_.await("branch", [](const Seen& seen) { return seen.branch == "other/branch"; });
  repo_.git({"checkout", "-q", "HEAD~1"});
  recorder_.await("detached", [](const Seen& seen) { return seen.branch == "HEAD"; });
  repo_.write(".git/info/exclude", "u\n");
  repo_.write("u", "1");
  repo_.write("v", "1");
  const Seen seen = recorder_.await("v", [](const Seen& s) { return s.untracked.contains("v"); });
  EXPECT_FALSE(seen.untracked.contains("u"));
  repo_.write(".git/info/exclude", "");
  recorder_.await("u", [](const Seen& s) { return s.untracked.contains("u"); });
}

TEST_F(ResidentTest, WhatGitIsInTheMiddleOfIsNotTold) {
  auto resident = open();
  recorder_.await_watching();
  // If the machine stalls for longer than the wait for git, the test tries again.
  for (bool undisturbed = false; !undisturbed;) {
    const auto start = std::chrono::steady_clock::now();
    repo_.write(".git/index.lock", "");
    repo_.write("f", "half-way");
    auto asked = status(*resident);
    ASSERT_TRUE(asked.ok());
    EXPECT_EQ(asked->changed.size(), 1u) << "who asks is told";
    const bool told = recorder_.seen().tracked.contains("f");
    undisturbed = std::chrono::steady_clock::now() - start < IndexLock::kQuiet;
    EXPECT_FALSE(undisturbed && told);
    repo_.write("f", "0");
    repo_.write("g", "1");
    stdfs::remove(at(".git/index.lock"));
    const Seen after = recorder_.await(
        "git is done", [](const Seen& seen) { return seen.untracked.contains("g"); });
    EXPECT_TRUE(after.tracked.empty());
    stdfs::remove(at("g"));
    recorder_.await("and again", [](const Seen& seen) { return !seen.untracked.contains("g"); });
  }
}

TEST_F(ResidentTest, ALockThatWasLeftBehindHoldsNothingUp) {
  auto resident = open();
  recorder_.await_watching();
  repo_.write(".git/index.lock", "");
  repo_.write("f", "1");
  recorder_.await("it is told", [](const Seen& seen) { return seen.tracked.contains("f"); });
}

TEST_F(ResidentTest, ANestedRepositoryIsToldWithoutAQuestion) {
  auto resident = open();
  recorder_.await_watching();
  repo_.write("n/f", "1");
  recorder_.await("a file", [](const Seen& seen) { return seen.untracked.contains("n/f"); });
  repo_.git({"init", "-q", "n"});
  recorder_.await("a repository", [](const Seen& seen) {
    return seen.untracked.contains("n/") && !seen.untracked.contains("n/f");
  });
}

TEST_F(ResidentTest, AQuestionSeesWhatWasWrittenBefore) {
  auto resident = open();
  StatusQuery query;
  query.untracked = UntrackedMode::kAll;
  for (int i = 0; i < 50; ++i) {
    const std::string name = "n" + std::to_string(i % 7) + "/f" + std::to_string(i);
    repo_.write(name, "1");
    auto status = ResidentTest::status(*resident, query);
    ASSERT_TRUE(status.ok()) << status.error().message;
    EXPECT_EQ(status->untracked.size(), static_cast<size_t>(i) + 1);
  }
}

TEST_F(ResidentTest, ReplayTellsEverythingAndGoesOn) {
  repo_.write("new", "1");
  repo_.write("f", "1");
  auto resident = open();
  const Seen before = recorder_.await_watching();
  resident->replay();
  const Seen after =
      recorder_.await("replayed", [&](const Seen& seen) { return seen.replays > before.replays; });
  EXPECT_EQ(after.tracked, before.tracked);
  EXPECT_EQ(after.untracked, before.untracked);
  EXPECT_EQ(after.version, before.version);
  EXPECT_EQ(after.state, before.state);
  repo_.write("newer", "1");
  recorder_.await("and goes on", [](const Seen& seen) { return seen.untracked.contains("newer"); });
}

TEST_F(ResidentTest, RescanLooksAtEverything) {
  auto resident = open();
  recorder_.await_watching();
  Resident::RescanProgress last;
  auto result = rescan(*resident, [&](const Resident::RescanProgress& now) { last = now; });
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->files_seen, 3u);
  EXPECT_EQ(last.files_seen, 3u);
  EXPECT_EQ(last.files_expected, 3u);
  recorder_.await_watching();
}

TEST_F(ResidentTest, ARescanOfManyFilesTicksAndCanBeCancelled) {
  for (int i = 0; i < 3000; ++i)
    repo_.write("many/" + std::to_string(i % 600) + "/" + std::to_string(i), "0");
  auto resident = open();
  recorder_.await_watching();
  // Cancelled before it begins: the scan ends soon, and the old answer is kept.
  const Seen before = recorder_.seen();
  auto result = rescan(*resident, nullptr, true);
  if (!result.ok()) {
    EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
  }
  recorder_.await_watching();
  EXPECT_EQ(recorder_.seen().untracked, before.untracked);
  repo_.write("many/7/new", "1");
  recorder_.await("still live",
                  [](const Seen& seen) { return seen.untracked.contains("many/7/new"); });
}

TEST_F(ResidentTest, CloseWhileScanning) {
  for (int i = 0; i < 500; ++i) repo_.write("many/" + std::to_string(i) + "/f", "0");
  for (int i = 0; i < 10; ++i) {
    Recorder recorder;
    auto resident = open(recorder, true);
    if (i % 2) recorder.await("a sign of life", [](const Seen& seen) { return seen.version > 0; });
    resident.reset();
  }
}

TEST_F(ResidentTest, CloseAnswersWhoWaits) {
  for (int i = 0; i < 500; ++i) repo_.write("many/" + std::to_string(i) + "/f", "0");
  auto resident = open();
  // Asked while the first scan runs. The scan or its end answers, in order.
  std::vector<int> answered;
  for (int i = 0; i < 5; ++i) {
    resident->status({}, [&answered, i](const Result<StatusResult>&) { answered.push_back(i); });
  }
  resident->stop();
  bool refused = false;
  resident->status({}, [&](const Result<StatusResult>& answer) {
    refused = !answer.ok() && answer.error().code == ErrorCode::kCancelled;
  });
  EXPECT_TRUE(refused) << "at once";
  resident.reset();
  EXPECT_EQ(answered, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST_F(ResidentTest, IgnoredAndContent) {
  repo_.write("f", "1");
  auto resident = open();
  auto is_ignored = ignored(*resident, {"a.log", "f", "d/b.log", "d"});
  ASSERT_TRUE(is_ignored.ok());
  EXPECT_EQ(*is_ignored, (std::vector<bool>{true, false, true, false}));
  EXPECT_EQ(content(*resident, "f", Resident::Source::kHead), "0");
  repo_.git({"add", "f"});
  EXPECT_EQ(content(*resident, "f", Resident::Source::kIndex), "1");
  EXPECT_EQ(content(*resident, "f", Resident::Source::kStage2), std::nullopt);
  EXPECT_EQ(content(*resident, "gone", Resident::Source::kHead), std::nullopt);
}

TEST_F(ResidentTest, NamesTheFilesThatItCannotWatch) {
  repo_.write("../real/gitconfig",
              "[core]\n\texcludesFile = " + repo_.path("real/excludes") + "\n");
  stdfs::create_symlink(repo_.path("real/gitconfig"), repo_.path("linked"));
  repo_.git({"config", "include.path", repo_.path("linked")});
  auto resident = open();
  recorder_.await("the list", [this](const Seen& seen) {
    return seen.unwatched_files == std::vector<std::string>{repo_.path("linked")};
  });
  // A question checks these files, watched or not.
  repo_.write("../real/gitconfig", "[core]\n\texcludesFile = " + repo_.path("other") + "\n");
  repo_.write("../other", "d\n");
  repo_.write("d/new", "1");
  StatusQuery query;
  auto status = ResidentTest::status(*resident, query);
  ASSERT_TRUE(status.ok());
  EXPECT_TRUE(status->untracked.empty());
}

TEST_F(ResidentTest, TheWorktreeIsRemoved) {
  auto resident = open();
  recorder_.await_watching();
  stdfs::remove_all(at(""));
  const Seen seen = recorder_.await("gone", [](const Seen& s) { return s.gone_calls > 0; });
  EXPECT_EQ(seen.gone, repo_.work() + ": the worktree was removed");
  EXPECT_FALSE(status(*resident).ok());
  EXPECT_EQ(recorder_.seen().gone_calls, 1);
}

TEST_F(ResidentTest, TheWorktreeIsMovedAwayAndAQuestionNoticesFirst) {
  auto resident = open();
  recorder_.await_watching();
  // The root's parent is not watched. The root's own event may come before or after the question.
  stdfs::rename(at(""), repo_.path("away"));
  EXPECT_FALSE(status(*resident).ok());
  recorder_.await("gone", [](const Seen& seen) { return seen.gone_calls > 0; });
}

TEST_F(ResidentTest, ABrokenIndexIsToldAndHeals) {
  auto resident = open();
  recorder_.await_watching();
  const std::string whole = repo_.read(".git/index");
  repo_.write(".git/index", "garbage");
  const Seen failed = recorder_.await(
      "failed", [](const Seen& seen) { return seen.state.kind == ModelState::Kind::kFailed; });
  EXPECT_NE(failed.state.message.find(at(".git/index")), std::string::npos) << failed.state.message;
  repo_.write(".git/index", whole);
  recorder_.await_watching();
}

TEST_F(ResidentTest, OpeningWhatIsNoWorktree) {
  Recorder recorder;
  auto none = Resident::open(repo_.root(), {}, recorder);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  EXPECT_NE(none.error().message.find(repo_.root()), std::string::npos) << none.error().message;
}

}  // namespace
}  // namespace resident
