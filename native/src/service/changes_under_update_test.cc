// Files that change under an update: the loop updates again, and ends.
#include <filesystem>
#include <utility>

#include "service/worktree_loop_test_support.h"

namespace resident {
namespace {

// Files that change while they are read.
class ChangesUnderUpdateTest : public WorktreeLoopTest {
 protected:
  // Starts at the commit before the last one, which changed many files.
  void start_before_last_commit() {
    for (const char* content : {"before", "after"}) {
      for (int i = 0; i < kFiles; ++i) repo_.write(path_of(i), content);
      repo_.git({"add", "-A"});
      repo_.git({"commit", "-q", "-m", content});
    }
    index_ = repo_.read(".git/index");
    head_ = repo_.git_line({"rev-parse", "HEAD"});
    repo_.git({"reset", "-q", "--hard", "HEAD~1"});
    start();
  }
  // Like a checkout of the last commit: HEAD moves during the slow check of the files.
  void check_out_slowly() {
    for (int i = 0; i < kFiles; ++i) {
      repo_.write(path_of(i), "after");
      tree_->mark(at("m"), "f" + std::to_string(i));
    }
    repo_.write(".git/index", index_);
    around_->mark(at(".git"), "index");
    on_stat("m/", [this] {
      if (++looks_ != kFiles / 2) return;
      repo_.write(".git/refs/heads/main", head_);
      around_->mark(at(".git/refs/heads"), "main");
      now_ += 10ms;
    });
  }
  // Calls `hook` before each stat of a path from the root that starts with `start`.
  void on_stat(const std::string& start, const std::function<void()>& hook) {
    fs_.set_fault([=](auto call, std::string_view path) -> std::optional<Error> {
      if (call == testing::CountingFileSystem::Call::kStat && path.starts_with(start)) hook();
      return std::nullopt;
    });
  }
  // Returns how often an update reads a file that changes during each update.
  int updates_of(std::chrono::milliseconds duration) {
    int updates = 0;
    on_stat("f", [&] {
      ++updates;
      now_ += duration;
      repo_.write("f", std::to_string(updates));
      tree_->mark(repo_.work(), "f");
    });
    tree_->mark(repo_.work(), "f");
    turn(true);
    fs_.set_fault({});
    return updates;
  }
  static std::string path_of(int i) { return "m/f" + std::to_string(i); }

  static constexpr int kFiles = 20;
  std::string index_;
  std::string head_;
  int looks_ = 0;
};

TEST_F(ChangesUnderUpdateTest, ADeltaComesFromAnUpdateUnderWhichNothingChanged) {
  start_before_last_commit();
  const uint64_t before = version();
  check_out_slowly();
  turn(true);
  EXPECT_GE(looks_, kFiles);
  EXPECT_EQ(version(), before + 1);
  EXPECT_TRUE(recorder_.seen().tracked.empty());
}

TEST_F(ChangesUnderUpdateTest, SoDoesAnAnswer) {
  start_before_last_commit();
  const uint64_t before = version();
  check_out_slowly();
  std::optional<size_t> rows;
  turn(false, {[&](WorktreeModel* model, Attempt) {
         EXPECT_TRUE(loop_->update_until_quick().ok());
         rows = testing::value_of(model->answer({})).changed.size();
         return true;
       }});
  EXPECT_GE(looks_, kFiles);
  EXPECT_EQ(rows, 0u);
  EXPECT_EQ(version(), before + 1);
}

TEST_F(ChangesUnderUpdateTest, UpdatesEndAlthoughFilesKeepChanging) {
  start();
  EXPECT_EQ(updates_of(9ms), 1);
  EXPECT_EQ(updates_of(10ms), 4);
  EXPECT_EQ(updates_of(600ms), 3);
  EXPECT_EQ(updates_of(2s), 2);
}

TEST_F(ChangesUnderUpdateTest, OneSlowUpdateIsEnoughWhileGitHoldsTheIndexsLock) {
  start();
  const uint64_t before = version();
  int updates = 0;
  on_stat("f", [&] {
    ++updates;
    now_ += 10ms;
    repo_.write(".git/index.lock", "");
  });
  repo_.write("f", "22");
  tree_->mark(repo_.work(), "f");
  turn(true);
  EXPECT_EQ(updates, 1);
  EXPECT_EQ(version(), before);
  fs_.set_fault({});
  std::filesystem::remove(at(".git/index.lock"));
  next_turn();
  EXPECT_EQ(recorder_.seen().tracked, (std::map<std::string, char>{{"f", 'M'}}));
}

}  // namespace
}  // namespace resident
