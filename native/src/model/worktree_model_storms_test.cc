// Many changes at once, and changes without an event. Uses real kernel events where the kernel
// sends them: once for each directory, and once from a recursive watch.
#include <fcntl.h>
#include <stdio.h>

#include "model/model_test_support.h"

namespace resident {
namespace {

class ModelStormsTest : public ModelTest {
 protected:
  ModelStormsTest() {
    repo_.write(".gitignore", "*.o\n/build/\n");
    for (const char* path : {"a/1", "a/x/2", "a/x/deep/3", "b/1", "b/x/2", "b/x/deep/3"}) {
      old_file(path, path);
    }
    commit_all();
  }
  // After this, earlier changes cause no more checks.
  void settle() {
    fs_.run_ahead(100);
    for (int i = 0; i < 3; ++i) update();
    take();
    fs_.calls().reset();
  }
  void silently(const std::string& path, const std::string& content) { repo_.write(path, content); }
};

struct StormWatcher {
  const char* name;
  std::optional<testing::WatchHabits> habits;  // nullopt: a watch for each directory
  bool is_precise = true;                      // marks changed names and no others
};
const StormWatcher kInotify = {"Inotify", std::nullopt};
const StormWatcher kRecursive = {"Recursive", testing::WatchHabits{}};
const StormWatcher kRecursiveWithAllHabits = {"RecursiveWithAllHabits", testing::kAllHabits, false};
void PrintTo(const StormWatcher& watcher, std::ostream* out) {
  *out << watcher.name;
}

class ModelWatchedStormsTest : public ModelStormsTest,
                               public ::testing::WithParamInterface<StormWatcher> {
 protected:
  void start_watching() {
    if (GetParam().habits) return start_on_recursive(*GetParam().habits);
    start_on_inotify();
  }
};

TEST_P(ModelWatchedStormsTest, ABuildInAnIgnoredDirectoryIsNotLookedAt) {
  start_watching();
  silently("build/first", "1");
  settle();
  const uint64_t watched = model_->state().directories;
  for (int i = 0; i < 200; ++i) {
    const std::string directory = "build/" + std::to_string(i % 10) + "/" + std::to_string(i % 40);
    silently(directory + "/f" + std::to_string(i), std::to_string(i));
    if (i % 50 == 0) update();
  }
  std::filesystem::remove_all(at("build/3"));
  update();
  if (GetParam().is_precise) {
    EXPECT_EQ(fs_.calls().stat_at, 0u);
    EXPECT_EQ(fs_.calls().open, 0u);
    EXPECT_EQ(fs_.calls().list, 0u);
    EXPECT_FALSE(model_->take_delta().has_value());
  }
  EXPECT_EQ(model_->state().directories, watched);
  expect_as_git("ignored");

  silently(".gitignore", "*.o\n");
  expect_as_git("no longer ignored");
  EXPECT_GT(model_->state().directories, watched + 30);
  silently("build/2/12/f12", "other");
  silently("build/2/12/new", "1");
  expect_as_git("and watched");
  silently(".gitignore", "*.o\n/build/\n");
  expect_as_git("ignored again");
  EXPECT_EQ(model_->state().directories, watched);
}

TEST_P(ModelWatchedStormsTest, ManyWritesToAFileAreOneLook) {
  start_watching();
  for (int i = 0; i < 10; ++i) silently("a/x/" + std::to_string(i) + ".o", "1");
  settle();
  for (int i = 0; i < 2000; ++i) silently("a/x/" + std::to_string(i % 10) + ".o", "more");
  for (int i = 0; i < 500; ++i) silently("b/x/2", "more");
  update();
  if (GetParam().is_precise) {
    EXPECT_EQ(fs_.calls().stat_at, 11u);
    EXPECT_EQ(fs_.calls().list, 0u);
  }
  expect_as_git();
}

TEST_P(ModelWatchedStormsTest, TwoDirectoriesExchangedAtOnce) {
  start_watching();
  const auto exchange = [&] {
    ASSERT_EQ(::renameat2(AT_FDCWD, at("a").c_str(), AT_FDCWD, at("b").c_str(), RENAME_EXCHANGE),
              0);
  };
  exchange();
  expect_as_git("exchanged");
  silently("a/x/deep/3", "two levels below");
  silently("b/x/deep/new", "two levels below");
  expect_as_git("edited");
  exchange();
  silently("a/x/deep/3", "between");
  exchange();
  exchange();
  expect_as_git("exchanged three times");
  silently("b/x/deep/3", "two levels below");
  expect_as_git("edited again");
  ASSERT_EQ(::renameat2(AT_FDCWD, at("a/x").c_str(), AT_FDCWD, at("b/1").c_str(), RENAME_EXCHANGE),
            0);
  expect_as_git("a directory and a file");
  silently("b/1/deep/3", "two levels below");
  expect_as_git("edited where it is now");
}

TEST_F(ModelStormsTest, TooFewWatchesAndThenEnough) {
  fake_.limit(3);
  start();
  EXPECT_EQ(told_.state.kind, ModelState::Kind::kPolling);
  EXPECT_EQ(told_.state.polled, 4u);
  ASSERT_TRUE(told_.state.shortage);
  EXPECT_EQ(told_.state.shortage->needed, 7u);
  silently("a/x/deep/3", "untold");
  silently("b/x/new", "untold");
  for (const char* path : {"a/x/deep/3", "b/x/new"}) mark(path, true);
  fake_.limit(5);
  expect_as_git("two more");
  EXPECT_EQ(told_.state.polled, 2u);
  silently("a/x/deep/3", "untold again, where there is no watch yet");
  silently("b/x/deep/3", "untold");
  for (const char* path : {"a/x/deep/3", "b/x/deep/3"}) mark(path, false);
  fake_.limit(100);
  expect_as_git("all");
  EXPECT_EQ(told_.state.kind, ModelState::Kind::kWatching);
  EXPECT_EQ(told_.state.directories, 7u);
  write("a/x/deep/3", "told");
  write("b/x/deep/more/new", "told");
  mark("b/x/deep/more", true);
  expect_as_git("told");
  rename("b", "a/b");
  expect_as_git("moved");
  settle();
  (void)lines();
  EXPECT_EQ(fs_.calls().stat_at, 0u) << "nothing is polled any more";
}

TEST_F(ModelStormsTest, NothingCanBeWatchedAndThenEverything) {
  const std::string why = "inotify_init1: Too many open files: raise something";
  fake_.refuse(why);
  start();
  EXPECT_EQ(told_.state.kind, ModelState::Kind::kPolling);
  EXPECT_EQ(told_.state.polled, 7u);
  EXPECT_FALSE(told_.state.shortage) << "more watches would not help";
  EXPECT_EQ(told_problems_, std::vector<std::string>{why}) << "once, not for each directory";
  silently("a/x/deep/3", "untold");
  silently("b/new", "untold");
  expect_as_git("polled");
  fake_.refuse("");
  expect_as_git("watched");
  EXPECT_EQ(told_.state.kind, ModelState::Kind::kWatching);
  write("a/x/deep/3", "told");
  expect_as_git("told");
}

TEST_F(ModelStormsTest, AFileSystemToWhichOthersWrite) {
  fake_.tell_everything(false);
  start();
  EXPECT_EQ(told_.state.kind, ModelState::Kind::kPolling);
  EXPECT_EQ(told_.state.polled, 7u);
  EXPECT_FALSE(told_.state.shortage) << "more watches would not help";
  silently("a/x/deep/3", "by another host");
  silently("b/new", "by another host");
  expect_as_git("written");
  std::filesystem::remove_all(at("b/x"));
  silently("a/x/n/m", "by another host");
  silently("top", "by another host");
  expect_as_git("removed and made");
  std::filesystem::rename(at("a"), at("c"));
  silently("c/x/deep/3", "by another host");
  expect_as_git("moved");
  write("c/1", "told");
  expect_as_git("told");
}

TEST_F(ModelStormsTest, DistrustLeadsToALookAtEverything) {
  start();
  silently("a/x/deep/3", "by whom nobody knows");
  EXPECT_TRUE(lines().size() == 1) << "nothing tells, so nothing is seen: the test tests something";
  model_->freshness().events().mark_desynced("the computer was asleep");
  take();
  EXPECT_EQ(told_.state.kind, ModelState::Kind::kVerifying);
  EXPECT_EQ(told_.state.message, "the computer was asleep");
  expect_as_git();
  EXPECT_EQ(told_.state.kind, ModelState::Kind::kWatching);
}

// Two commits of many files. The worktree has the first one, and the second one is written in the
// middle of a check.
class ModelMovedStormsTest : public ModelStormsTest {
 protected:
  static constexpr int kMany = 650;

  void SetUp() override {
    for (const char* content : {"before", "after"}) {
      for (int i = 0; i < kMany; ++i) old_file(path_of(i), content + std::to_string(i));
      commit_all();
    }
    index_ = repo_.read(".git/index");
    head_ = repo_.git_line({"rev-parse", "HEAD"});
    repo_.git({"reset", "-q", "--hard", "HEAD~1"});
    wake_ = [this] { ++woken_; };
    start();
    EXPECT_TRUE(lines_of(*model_->answer(StatusQuery{})).empty());
    woken_ = 0;
  }

  static std::string path_of(int i) {
    return "m" + std::to_string(i % 20) + "/f" + std::to_string(i);
  }
  void write_files() {
    for (int i = 0; i < kMany; ++i) write(path_of(i), "after" + std::to_string(i));
  }
  // Updates, and calls `change` in the middle of the check.
  Result<void> update_with(const std::function<void()>& change) {
    int looks = 0;
    fs_.set_fault([&](auto, std::string_view path) -> std::optional<Error> {
      if (path.starts_with("m") && ++looks == kMany / 2) change();
      return std::nullopt;
    });
    const Result<void> updated = model_->update();
    fs_.set_fault({});
    EXPECT_GE(looks, kMany);
    return updated;
  }

  std::string index_;
  std::string head_;
  int woken_ = 0;
};

// Like a checkout: all checked files are new, and HEAD moves during the check.
TEST_F(ModelMovedStormsTest, Head) {
  write_files();
  repo_.write(".git/index", index_);
  EXPECT_TRUE(update_with([&] { repo_.write(".git/refs/heads/main", head_); }).ok());
  const StatusDelta told = model_->whole();
  EXPECT_TRUE(told.changed.empty()) << told.changed.size();
}

// The rows stay as they were, and the owner has to update again.
TEST_F(ModelMovedStormsTest, IndexAndHead) {
  write_files();
  const Result<void> updated = update_with([&] {
    repo_.write(".git/index", index_);
    repo_.write(".git/refs/heads/main", head_);
  });
  ASSERT_FALSE(updated.ok());
  EXPECT_EQ(updated.error().code, ErrorCode::kPending) << updated.error().message;
  EXPECT_GT(woken_, 0);
  EXPECT_TRUE(model_->whole().changed.empty());
  EXPECT_EQ(model_->state().kind, ModelState::Kind::kWatching);
  update();
  expect_as_git();
  EXPECT_TRUE(model_->whole().changed.empty());
}

TEST_F(ModelMovedStormsTest, AnUpdateEndsWhileTheIndexKeepsChanging) {
  const std::string indexes[] = {index_, repo_.read(".git/index")};
  int updates = 0;
  for (bool ended = false; !ended && updates < 10; ++updates) {
    write_files();
    ended = update_with([&] { repo_.write(".git/index", indexes[updates % 2]); }).ok();
  }
  EXPECT_EQ(updates, 3);
  update();
  expect_as_git();
}

constexpr auto name_of_watcher = [](const auto& watcher) {
  return std::string(watcher.param.name);
};
INSTANTIATE_TEST_SUITE_P(Watchers, ModelWatchedStormsTest,
                         ::testing::Values(kInotify, kRecursive, kRecursiveWithAllHabits),
                         name_of_watcher);

}  // namespace
}  // namespace resident
