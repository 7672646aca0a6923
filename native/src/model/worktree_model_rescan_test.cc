// Lost events: the files that are checked again, the files that are not, and correct watches
// afterwards.
#include "model/model_test_support.h"
#include "testing/lossy_watcher.h"
#include "testing/value_of.h"

namespace resident {
namespace {

constexpr uint64_t kDirectories = 11;  // ten directories and the root
constexpr uint64_t kFiles = 50;

class ModelRescanTest : public ModelTest {
 protected:
  static std::string file(uint64_t i) {
    return "d" + std::to_string(i % 10) + "/f" + std::to_string(i);
  }
  // Files in ten directories, all settled when they are read.
  void build() {
    for (uint64_t i = 0; i < kFiles; ++i) old_file(file(i), std::to_string(i));
    commit_all();
    fs_.run_ahead(100);
  }
  void start_settled() {
    build();
    start();
    fake_.on_add([this] { ++added_; });
    reset();
  }
  void reset() {
    fs_.calls().reset();
    added_ = 0;
    before_ = model_->freshness().tree().work;
  }
  void lose() { fake_.desync("the queue overflowed"); }
  uint64_t directories() const {
    return model_->freshness().tree().work.directories - before_.directories;
  }
  uint64_t lstats() const { return model_->freshness().tree().work.lstats - before_.lstats; }

  uint64_t added_ = 0;
  WorktreeTree::Work before_;
};

TEST_F(ModelRescanTest, AnUnchangedDirectoryCostsOneOpenOneStatAndOneForEachFile) {
  start_settled();
  lose();
  update();
  EXPECT_EQ(directories(), kDirectories);
  EXPECT_EQ(lstats(), kFiles);
  EXPECT_EQ(fs_.calls().list, 0u);
  EXPECT_EQ(added_, 0u);
  EXPECT_EQ(fs_.calls().open, kDirectories);
  // The root has one more stat, before everything else.
  EXPECT_EQ(fs_.calls().stat_directory, kDirectories + 1);
  EXPECT_EQ(fs_.calls().stat_at, kFiles);
  EXPECT_EQ(fs_.calls().read_file_at, 0u);
  expect_as_git("nothing changed");
}

TEST_F(ModelRescanTest, AChangedDirectoryAloneIsListedAndWatchedAgain) {
  start_settled();
  repo_.write("d3/new", "1");
  std::filesystem::remove(at(file(7)));
  repo_.write(file(4), "another");
  lose();
  update();
  EXPECT_EQ(fs_.calls().list, 2u);
  EXPECT_EQ(added_, 2u);
  expect_as_git("three changes");
  write("d3/newer", "1");
  remove("d3/new");
  expect_as_git("watched");
}

TEST_F(ModelRescanTest, WhatIsNotSettledIsListedAgain) {
  for (uint64_t i = 0; i < kFiles; ++i) old_file(file(i), std::to_string(i));
  commit_all();
  fs_.run_ahead(-1000);
  start();
  const auto before = std::filesystem::last_write_time(at("d3"));
  repo_.write("d3/new", "1");
  std::filesystem::last_write_time(at("d3"), before);
  reset();
  count_pack_lists();
  lose();
  update();
  EXPECT_EQ(fs_.calls().list, kDirectories + pack_lists_);
  expect_as_git();
}

TEST_F(ModelRescanTest, ATimeThatWasSetBackHidesNothing) {
  start_settled();
  const auto before = std::filesystem::last_write_time(at("d3"));
  repo_.write("d3/new", "1");
  std::filesystem::last_write_time(at("d3"), before);
  lose();
  expect_as_git();
}

TEST_F(ModelRescanTest, LostWatchesAreAddedAgainEverywhere) {
  start_settled();
  repo_.write("d3/new", "1");
  fake_.lose_watches("a file system was unmounted");
  update();
  EXPECT_EQ(added_, kDirectories);
  expect_as_git("all is read");
  write(file(5), "a save");
  expect_as_git("all is watched");
}

TEST_F(ModelRescanTest, AfterAMountEverythingIsReadAndWatchedAgain) {
  start_settled();
  mounts_changed_ = true;
  lose();
  update();
  EXPECT_EQ(added_, kDirectories);
  EXPECT_EQ(fs_.calls().list, kDirectories);
  reset();
  lose();
  update();
  EXPECT_EQ(added_, 0u);
}

TEST_F(ModelRescanTest, OfAFileSystemThatOthersWriteToNothingIsTrusted) {
  start_settled();
  fake_.tell_everything(false);
  lose();
  update();
  EXPECT_EQ(added_, kDirectories);
}

TEST_F(ModelRescanTest, WithTooMuchThatIsOtherwiseEverythingIsRead) {
  for (int i = 0; i < 100; ++i) old_file("m/" + std::to_string(i) + "/f", "1");
  build();
  start();
  for (int i = 0; i < 100; ++i) repo_.write("m/" + std::to_string(i) + "/new", "1");
  lose();
  expect_as_git("all read");
  write("m/7/newer", "1");
  expect_as_git("and watched");
}

TEST_F(ModelRescanTest, IgnoreFilesRewrittenInPlace) {
  old_file("d1/.gitignore", "*.log\n");
  repo_.write("d1/deep/a.log", "1");
  repo_.write("d1/deep/a.tmp", "1");
  repo_.write("d2/.gitignore", "");
  repo_.write("d2/a.tmp", "1");
  build();
  repo_.write("d1/x.log", "1");
  repo_.write("d1/x.tmp", "1");
  start();
  repo_.write("d1/.gitignore", "*.tmp\n");
  repo_.write("d2/.gitignore", "*.tmp\n");
  lose();
  expect_as_git("other rules");
  repo_.write("d2/.gitignore", "");
  lose();
  expect_as_git("none");
  std::filesystem::remove(at("d1/.gitignore"));
  lose();
  expect_as_git("removed");
}

TEST_F(ModelRescanTest, RepositoriesInItComeAndGo) {
  build();
  repo_.git({"init", "-q", "n"});
  repo_.write("n/f", "1");
  repo_.write("o/f", "1");
  std::filesystem::create_directory(at("o/.git"));
  start();
  expect_as_git("one is a repository");
  std::filesystem::remove(at("n/.git/HEAD"));
  lose();
  expect_as_git("none is");
  repo_.git({"init", "-q", "o"});
  lose();
  expect_as_git("the other is");
}

TEST_F(ModelRescanTest, ACancelledRescanChangesNothing) {
  start_settled();
  repo_.write(file(4), "another");
  repo_.write("d3/new", "1");
  std::atomic<bool> cancelled{false};
  int opened = 0;
  fs_.set_fault([&](testing::CountingFileSystem::Call call, std::string_view) {
    if (call == testing::CountingFileSystem::Call::kOpen && ++opened == 8) cancelled = true;
    return std::optional<Error>();
  });
  const auto before = told_.tracked;
  lose();
  EXPECT_FALSE(model_->scan(&cancelled).ok());
  take();
  EXPECT_EQ(told_.tracked, before);
  EXPECT_EQ(model_->freshness().events().desynced(), "the queue overflowed");
  fs_.set_fault(nullptr);
  expect_as_git("the next question looks");
}

TEST_F(ModelRescanTest, WhatHappensWhileItLooksIsNotForgotten) {
  start_settled();
  repo_.write(file(4), "another");
  int opened = 0;
  fs_.set_fault([&](testing::CountingFileSystem::Call call, std::string_view) {
    if (call == testing::CountingFileSystem::Call::kOpen && ++opened == 8) {
      // Change directories that were already checked, and others that were not.
      for (uint64_t i = 0; i < 10; ++i) write(file(i), "late");
      mkdir("d2/made");
      fake_.desync("again");
    }
    return std::optional<Error>();
  });
  lose();
  update();
  EXPECT_GE(opened, 8);
  fs_.set_fault(nullptr);
  expect_as_git();
}

TEST_F(ModelRescanTest, SkippedBelievedAndUnmergedEntries) {
  build();
  repo_.git({"update-index", "--assume-unchanged", file(3)});
  repo_.git({"update-index", "--skip-worktree", file(4), file(5), file(6)});
  const std::string blob = repo_.git_line({"hash-object", "-w", "--stdin"}, "x");
  repo_.git({"update-index", "--index-info"}, "0 " + std::string(40, '0') + "\t" + file(7) +
                                                  "\n100644 " + blob + " 1\t" + file(7) +
                                                  "\n100644 " + blob + " 2\t" + file(7) + "\n");
  start();
  expect_as_git("at first");
  for (uint64_t i : {3, 4, 7}) repo_.write(file(i), "another");
  std::filesystem::remove(at(file(5)));
  lose();
  expect_as_git("after a loss");
}

// --- The kernel's handling of watches

class ModelLossTest : public ModelTest {
 protected:
  ModelLossTest() {
    for (const char* path : {"a/x/y/f", "a/x/g", "b/x/y/f", "b/x/h", "c/k", "top"}) {
      old_file(path, path);
    }
    commit_all();
    fs_.run_ahead(100);
    auto watcher = make_inotify_watcher([] {});
    watcher_ = std::make_unique<testing::LossyWatcher>(std::move(watcher));
    open_model(watcher_.get());
    EXPECT_TRUE(model_->scan().ok());
    take();
  }
  ~ModelLossTest() override { model_.reset(); }

  // Loses all earlier events. Later events must arrive.
  void expect_healed(const std::vector<std::string>& directories) {
    watcher_->lose();
    expect_as_git("after the loss");
    for (const std::string& directory : directories) {
      repo_.write(directory + "/later", "1");
      expect_as_git(directory + " is watched");
      std::filesystem::remove(at(directory + "/later"));
      expect_as_git(directory + " is watched still");
    }
  }
  void move(const std::string& from, const std::string& to) {
    std::filesystem::rename(at(from), at(to));
  }

  std::unique_ptr<testing::LossyWatcher> watcher_;
};

TEST_F(ModelLossTest, NothingIsWatchedAnewWhereNothingHappened) {
  const uint64_t before = watcher_->added();
  expect_healed({});
  EXPECT_EQ(watcher_->added(), before);
  expect_healed({"a", "a/x/y", "b/x", "c"});
}

TEST_F(ModelLossTest, DirectoriesThatTookEachOthersPlace) {
  move("a", "t");
  move("b", "a");
  move("t", "b");
  expect_healed({"a", "a/x", "a/x/y", "b", "b/x", "b/x/y", "c"});
}

TEST_F(ModelLossTest, ADirectoryThatMovedDeeper) {
  move("a/x", "c/x");
  expect_healed({"a", "c", "c/x", "c/x/y"});
}

TEST_F(ModelLossTest, ADirectoryThatMovedAwayAndBackWithChangesBelow) {
  move("a", "t");
  repo_.write("t/x/y/new", "1");
  repo_.write("t/x/g", "another");
  move("t", "a");
  expect_healed({"a", "a/x", "a/x/y"});
}

TEST_F(ModelLossTest, ADirectoryThatMovedOutAndAnotherThatMovedIn) {
  std::filesystem::create_directories(repo_.path("outside/x/y"));
  std::filesystem::rename(at("a"), repo_.path("was-a"));
  std::filesystem::rename(repo_.path("outside"), at("a"));
  expect_healed({"a", "a/x", "a/x/y"});
}

TEST_F(ModelLossTest, DirectoriesRemovedAndMadeAgain) {
  // The file system may reuse the same inode numbers.
  for (int i = 0; i < 3; ++i) {
    std::filesystem::remove_all(at("a"));
    for (const char* path : {"a/x/y/f", "a/x/g"}) old_file(path, path);
    expect_healed({"a", "a/x", "a/x/y"});
  }
}

TEST_F(ModelLossTest, AFileInTheDirectorysPlaceAndBack) {
  std::filesystem::remove_all(at("a/x"));
  repo_.write("a/x", "a file");
  expect_healed({"a", "b/x"});
  std::filesystem::remove(at("a/x"));
  std::filesystem::create_directory_symlink("../b/x", at("a/x"));
  expect_healed({"a", "b/x"});
  std::filesystem::remove(at("a/x"));
  for (const char* path : {"a/x/y/f", "a/x/g"}) old_file(path, path);
  expect_healed({"a", "a/x", "a/x/y"});
}

TEST_F(ModelLossTest, ANewIndexAmongWhatWasLost) {
  repo_.write("c/new", "1");
  repo_.git({"add", "-A"});
  repo_.git({"rm", "-q", "-r", "--cached", "b"});
  expect_healed({"b", "b/x", "c"});
}

TEST_F(ModelLossTest, WhatHappensInASubmodule) {
  repo_.git({"init", "-q", "s"});
  for (const char* path : {"s/f", "s/d/g"}) old_file(path, path);
  repo_.git({"-C", "s", "add", "-A"});
  repo_.git({"-C", "s", "commit", "-q", "-m", "1"});
  repo_.git({"add", "s"});
  repo_.git({"commit", "-q", "-m", "with a submodule"});
  watcher_->lose();
  expect_as_git("at first");
  repo_.write("s/d/g", "another");
  watcher_->lose();
  expect_as_git("modified");
  repo_.write("s/d/new", "1");
  repo_.git({"-C", "s", "add", "d/g"});
  watcher_->lose();
  expect_as_git("untracked and staged");
  repo_.git({"-C", "s", "commit", "-q", "-m", "2"});
  watcher_->lose();
  expect_as_git("another commit");
  std::filesystem::remove_all(at("s/d"));
  std::filesystem::create_directory(at("s/d"));
  watcher_->lose();
  expect_as_git("a directory made again");
  repo_.write("s/d/newer", "1");
  expect_as_git("and watched");
  std::filesystem::remove_all(at("s"));
  watcher_->lose();
  expect_as_git("gone");
}

TEST_F(ModelLossTest, TheRootHasNewNames) {
  repo_.write("new", "1");
  std::filesystem::remove(at("top"));
  std::filesystem::create_directories(at("d/e"));
  repo_.write("d/e/f", "1");
  expect_healed({"d", "d/e", "a/x"});
}

}  // namespace
}  // namespace resident
