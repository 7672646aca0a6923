// Lost events, cancelled scans, watch limits, and broken or missing files around the worktree.
#include "model/model_test_support.h"

namespace resident {
namespace {

class ModelDesyncTest : public ModelTest {
 protected:
  ModelDesyncTest() {
    for (const char* path : {"top", "a/1", "a/x/2", "b/3"}) repo_.write(path, path);
    commit_all();
  }
  // Writes without any event.
  void silently(const std::string& path, const std::string& content) { repo_.write(path, content); }
  // An entry whose name is too long for any system that we run on.
  void add_what_only_git_reads() { set_long_entry("100644"); }
  void remove_what_only_git_reads() { set_long_entry("0"); }
  void set_long_entry(const std::string& mode) {
    const std::string blob = repo_.git_line({"hash-object", "-w", "--stdin"}, "x");
    repo_.git({"update-index", "--add", "--index-info"},
              mode + " " + blob + "\t" + std::string(4096, 'n') + "\n");
  }
  std::string failure() {
    auto updated = model_->update();
    take();
    return updated.ok() ? "" : updated.error().message;
  }
};

TEST_F(ModelDesyncTest, LostEventsLeadToAScan) {
  start();
  silently("a/x/2", "other");
  silently("n/new", "1");
  std::filesystem::remove(at("b/3"));
  const auto before = told_;
  update();
  take();
  EXPECT_EQ(told_, before) << "nothing tells, so nothing is seen: the test tests something";

  fake_.desync("the queue overflowed");
  model_->freshness().events().drain();
  EXPECT_EQ(model_->freshness().events().desynced(), "the queue overflowed");
  take();
  EXPECT_EQ(told_.state.kind, ModelState::Kind::kVerifying);
  EXPECT_EQ(told_.state.message, "the queue overflowed");
  EXPECT_EQ(told_.tracked, before.tracked) << "the old answer stays visible";
  expect_as_git("scanned");
  EXPECT_EQ(told_.state.kind, ModelState::Kind::kWatching);
  write("n/newer", "1");
  expect_as_git("and watched");
}

TEST_F(ModelDesyncTest, LostEventsOfAttributesAndIgnoreFiles) {
  // The file has the size of its index entry. Only its converted content shows the change.
  repo_.write(".git/info/exclude", ".gitattributes\n");
  silently("a/.gitattributes", "1 text\n");
  silently("a/1", "1\r\n2\r\n");
  silently("n.log", "1");
  repo_.git({"add", "a/1"});
  repo_.git({"commit", "-q", "-m", "1"});
  old_file("a/1", "1\r\n2\r\n");
  fs_.run_ahead(100);
  start();
  expect_as_git("converted");
  std::filesystem::remove(at("a/.gitattributes"));
  silently(".gitignore", "*.log\n");
  fake_.desync("overflow");
  expect_as_git("not converted, and ignored");
  silently("a/.gitattributes", "1 text\n");
  std::filesystem::remove(at(".gitignore"));
  fake_.desync("overflow");
  expect_as_git("as at first");
}

// A file that is mounted on another file lies in a different directory, which is not watched.
TEST_F(ModelDesyncTest, AFileMountedOnAnotherIsLookedAtWithEachQuestion) {
  mounted_ = {"a/1", "b", "none"};
  start();
  silently("a/1", "through the mount");
  expect_as_git("changed");
  silently("a/1", "and again");
  fake_.desync("overflow");
  update();
  silently("a/1", "after another scan");
  expect_as_git("changed again");
  mounted_ = {};
  fake_.desync("a mount");
  update();
  const uint64_t before = model_->freshness().tree().work.lstats;
  update();
  EXPECT_EQ(model_->freshness().tree().work.lstats, before);
}

TEST_F(ModelDesyncTest, ADesyncDuringAScanIsNotForgotten) {
  start();
  int directory = 0;
  fake_.on_add([&] {
    if (++directory != 3) return;
    silently("a/1", "late");
    silently("a/x/2", "late");
    silently("top", "late");
    fake_.desync("again");
  });
  fake_.desync("first");
  mounts_changed_ = true;  // the scan reads everything
  update();
  EXPECT_GE(directory, 3);
  expect_as_git();
}

TEST_F(ModelDesyncTest, EventsThatArriveWhileAScanRunsAreApplied) {
  open_model(&fake_);
  int directory = 0;
  fake_.on_add([&] {
    // The root is already read. Only its event shows the change.
    if (++directory == 3) {
      write("top", "changed during the scan");
      write("new", "1");
      mkdir("later");
      write("later/f", "1");
      remove("b");
    }
  });
  ASSERT_TRUE(model_->scan().ok());
  take();
  fake_.on_add(nullptr);
  expect_as_git();
  write("later/g", "1");
  expect_as_git("watched");
}

TEST_F(ModelDesyncTest, ACancelledScanKeepsTheAnswerAndLosesNoEvent) {
  start();
  write("a/x/2", "before the scan, not taken in");
  std::atomic<bool> cancelled{false};
  int directory = 0;
  fake_.on_add([&] {
    if (++directory == 2) {
      cancelled = true;
      write("top", "while it runs");
    }
  });
  mounts_changed_ = true;  // the scan reads everything
  auto result = model_->scan(&cancelled);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
  fake_.on_add(nullptr);
  take();
  EXPECT_EQ(told_.state.kind, ModelState::Kind::kWatching);
  EXPECT_TRUE(told_.tracked.empty()) << "the old answer";
  expect_as_git("nothing was lost");
  write("b/3", "other");
  expect_as_git("still watched");
}

TEST_F(ModelDesyncTest, ACancelledRescanStaysDesynced) {
  start();
  silently("a/x/2", "other");
  fake_.desync("overflow");
  const std::atomic<bool> cancelled{true};
  EXPECT_FALSE(model_->scan(&cancelled).ok());
  EXPECT_EQ(model_->freshness().events().desynced(), "overflow");
  write("b/3", "an event meanwhile");
  expect_as_git("the next question scans");
}

TEST_F(ModelDesyncTest, ACancelledScanWithANewIndex) {
  start();
  repo_.git({"rm", "-q", "-r", "--cached", "a"});
  mkdir("new");
  const std::atomic<bool> cancelled{true};
  EXPECT_FALSE(model_->scan(&cancelled).ok());
  expect_as_git();
  write("new/f", "1");
  write("a/x/2", "1");
  expect_as_git();
}

TEST_F(ModelDesyncTest, TheWatchLimitLeavesDirectoriesToPolling) {
  fake_.limit(2);
  start();
  EXPECT_EQ(told_.state.kind, ModelState::Kind::kPolling);
  EXPECT_EQ(told_.state.directories, 2u);
  EXPECT_EQ(told_.state.polled, 2u);
  ASSERT_TRUE(told_.state.shortage);
  EXPECT_EQ(told_.state.shortage->needed, 4u);
  expect_as_git("at first");
  // The fake sends no event for an unwatched directory.
  for (const char* path : {"a/1", "a/x/2", "b/3"}) write(path, "edited in place");
  expect_as_git("edited");
  for (const char* path : {"a/new", "a/x/new", "b/new"}) write(path, "1");
  expect_as_git("created");
  for (const char* path : {"a/x/2", "b/3", "a/new"}) remove(path);
  expect_as_git("deleted");
  for (const char* path : {"a/n", "b/n", "b/n/m"}) mkdir(path);
  write("b/n/m/f", "1");
  expect_as_git("new directories");
  rename("a", "c");
  expect_as_git("renamed");
  write("c/x/2", "1");
  write("c/x/.gitignore", "*\n");
  expect_as_git("edited again");
}

TEST_F(ModelDesyncTest, NothingCanBeWatchedAtAll) {
  fake_.limit(0);
  start();
  write("top", "1");
  expect_as_git("edited in the root");
  write("new", "1");
  expect_as_git("created in the root");
  remove("new");
  remove("top");
  expect_as_git("deleted");
  mkdir("d");
  write("d/f", "1");
  expect_as_git();
}

TEST_F(ModelDesyncTest, PollingSeesWhatIsWrittenInTheTickOfTheScan) {
  fake_.limit(1);
  // No file counts as settled.
  fs_.run_ahead(-1000);
  start();
  const auto before = std::filesystem::last_write_time(at("a"));
  write("a/new", "1");
  std::filesystem::last_write_time(at("a"), before);
  expect_as_git();
}

TEST_F(ModelDesyncTest, ATruncatedIndexFailsByNameAndHeals) {
  start();
  const std::string whole = repo_.read(".git/index");
  repo_.write(".git/index", whole.substr(0, whole.size() / 2));
  const std::string message = failure();
  EXPECT_NE(message.find(at(".git/index")), std::string::npos) << message;
  EXPECT_EQ(told_.state.kind, ModelState::Kind::kFailed);
  EXPECT_EQ(told_.state.message, message);
  EXPECT_EQ(lines(), std::vector<std::string>{"error: " + message});
  write("a/1", "meanwhile");
  mkdir("n");
  write("n/f", "1");
  EXPECT_FALSE(failure().empty());
  repo_.write(".git/index", whole);
  expect_as_git("whole again, and nothing was lost");
  EXPECT_EQ(told_.state.kind, ModelState::Kind::kWatching);
}

TEST_F(ModelDesyncTest, BrokenFromTheStart) {
  const std::string whole = repo_.read(".git/index");
  for (const std::string& broken :
       {std::string("garbage"), std::string(), whole.substr(0, 11), whole + "x"}) {
    SCOPED_TRACE(broken.size());
    told_ = {};
    repo_.write(".git/index", broken);
    open_model(&fake_);
    EXPECT_FALSE(model_->scan().ok());
    take();
    EXPECT_EQ(told_.state.kind, ModelState::Kind::kFailed);
    repo_.write(".git/index", whole);
    expect_as_git("healed");
  }
}

TEST_F(ModelDesyncTest, AMissingHead) {
  const std::string head = repo_.read(".git/HEAD");
  start();
  std::filesystem::remove(at(".git/HEAD"));
  const std::string message = failure();
  EXPECT_NE(message.find("HEAD"), std::string::npos) << message;
  EXPECT_EQ(told_.state.kind, ModelState::Kind::kFailed);
  write("a/1", "meanwhile");
  repo_.write(".git/HEAD", head);
  expect_as_git("healed");
}

TEST_F(ModelDesyncTest, ALoopOfSymbolicRefs) {
  start();
  repo_.write(".git/HEAD", "ref: refs/heads/loop\n");
  repo_.write(".git/refs/heads/loop", "ref: refs/heads/loop\n");
  (void)failure();
  repo_.write(".git/HEAD", "ref: refs/heads/main\n");
  expect_as_git("healed");
}

TEST_F(ModelDesyncTest, ABrokenConfig) {
  start();
  const std::string config = repo_.read(".git/config");
  repo_.write(".git/config", config + "[core\n");
  const std::string message = failure();
  EXPECT_NE(message.find("config"), std::string::npos) << message;
  write("a/1", "meanwhile");
  repo_.write(".git/config", config);
  expect_as_git("healed");
}

TEST_F(ModelDesyncTest, TheWorktreeIsRemoved) {
  start();
  std::filesystem::rename(at(""), repo_.path("away"));
  EXPECT_NE(failure().find(at("")), std::string::npos);
  EXPECT_TRUE(model_->freshness().gone());
  EXPECT_EQ(told_.state.kind, ModelState::Kind::kFailed);
  EXPECT_FALSE(model_->answer(query(UntrackedMode::kAll, IgnoredMode::kNo)).ok());
}

TEST_F(ModelDesyncTest, AnotherDirectoryInTheRootsPlace) {
  start();
  std::filesystem::rename(at(""), repo_.path("away"));
  repo_.init();
  EXPECT_FALSE(failure().empty());
  EXPECT_TRUE(model_->freshness().gone());
}

TEST_F(ModelDesyncTest, WhatIsGitsToAnswerStillMakesDeltas) {
  repo_.write("u", "1");
  start();
  git_may_answer_ = true;
  add_what_only_git_reads();
  expect_as_git("by git");
  EXPECT_EQ(told_.state.kind, ModelState::Kind::kDelegated);
  EXPECT_FALSE(told_.state.message.empty());
  write("a/x/2", "other");
  write("new", "1");
  update();
  EXPECT_FALSE(take().empty());
  expect_as_git("deltas come");
  EXPECT_EQ(told_.untracked.count("new"), 1u);
  mkdir("d");
  write("d/f", "1");
  remove("u");
  expect_as_git("from new directories too");
  repo_.git({"add", "-A"});
  expect_as_git("and from the index");
  remove_what_only_git_reads();
  git_may_answer_ = false;
  expect_as_git("whole again");
  EXPECT_EQ(told_.state.kind, ModelState::Kind::kWatching);
  write("d/f", "2");
  expect_as_git("watched again");
}

TEST_F(ModelDesyncTest, WhatIsWholeByTheTimeItIsRecordedIsReadAgain) {
  start();
  const std::string whole = repo_.read(".git/index");
  add_what_only_git_reads();
  fs_.run_ahead(10);
  // The index is repaired after it is read, and before it is recorded as a reason for git to
  // answer.
  bool read = false;
  bool mended = false;
  fs_.set_fault([&](auto, std::string_view path) -> std::optional<Error> {
    read |= path.ends_with("/.git/index");
    if (read && path.ends_with("/config.worktree") && !std::exchange(mended, true)) {
      repo_.write(".git/index", whole);
    }
    return std::nullopt;
  });
  git_may_answer_ = true;
  update();
  EXPECT_TRUE(mended);
  fs_.set_fault({});
  git_may_answer_ = false;
  expect_as_git("ours");
  EXPECT_FALSE(model_->is_delegated());
}

TEST_F(ModelDesyncTest, TheBranchIsOursAgainAfterGitTold) {
  for (const char* message : {"2", "3"})
    repo_.git({"commit", "-q", "--allow-empty", "-m", message});
  repo_.git({"branch", "side", "HEAD~1"});
  repo_.git({"config", "branch.main.remote", "."});
  repo_.git({"config", "branch.main.merge", "refs/heads/side"});
  start();
  // The inputs of the branch must be settled before they can be recorded.
  for (int i = 0; i < 3; ++i) expect_as_git("one ahead");
  git_may_answer_ = true;
  repo_.write(".git/info/grafts", repo_.git_line({"rev-parse", "HEAD"}) + "\n");
  expect_as_git("a history without a past");
  remove(".git/info/grafts");
  git_may_answer_ = false;
  expect_as_git("one ahead again");
}

TEST_F(ModelDesyncTest, AMandatoryExtensionThatIsUnknown) {
  start();
  // git itself refuses such an index: the failure names the index.
  std::string index = repo_.read(".git/index");
  const std::string extension = {'x', 'y', 'z', 'w', 0, 0, 0, 0};
  index.insert(index.size() - 20, extension);
  index.replace(index.size() - 20, 20, std::string(20, '\0'));
  const std::string whole = repo_.read(".git/index");
  repo_.write(".git/index", index);
  const bool git_refuses = repo_.try_git({"status"}).exit_code != 0;
  EXPECT_TRUE(git_refuses);
  EXPECT_FALSE(failure().empty());
  EXPECT_EQ(told_.state.kind, ModelState::Kind::kFailed);
  repo_.write(".git/index", whole);
  expect_as_git("healed");
}

TEST_F(ModelDesyncTest, AnUntrustedWorkspaceAsksNoGit) {
  auto found = discover(repo_.work());
  ASSERT_TRUE(found.ok());
  WorktreeModel::Options options;
  options.watcher = &fake_;
  options.trusted = false;
  add_what_only_git_reads();
  model_ = std::make_unique<WorktreeModel>(fs_, *found, options);
  auto scanned = model_->scan();
  ASSERT_FALSE(scanned.ok());
  EXPECT_EQ(scanned.error().code, ErrorCode::kUnsafe);
}

TEST_F(ModelDesyncTest, ManyThreadsScanAlike) {
  for (int i = 0; i < 300; ++i) {
    repo_.write(
        "m" + std::to_string(i % 30) + "/n" + std::to_string(i % 7) + "/f" + std::to_string(i),
        "0");
  }
  repo_.git({"add", "m0", "m1", "m2", "m3"});
  threads_ = 4;
  start();
  expect_as_git();
  for (int i = 0; i < 5; ++i) {
    silently("m1/n1/f1", std::to_string(i));
    fake_.desync("again");
    expect_as_git();
  }
}

}  // namespace
}  // namespace resident
