// A kept worktree whose turns a test steps through time. The test decides the kernel's queue, git's
// answers, the clock and the turns.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fs/linux/posix_file_system.h"
#include "service/resident_test_support.h"
#include "service/worktree_loop.h"
#include "testing/counting_file_system.h"
#include "testing/fake_git_runner.h"
#include "testing/fake_watcher.h"

namespace resident {

using namespace std::chrono_literals;

// Nothing of the machine causes or pauses work.
inline WorktreeLoop::Platform quiet_platform(FileSystem& fs, WatcherFactory make_watcher) {
  WorktreeLoop::Platform platform{fs, std::move(make_watcher)};
  platform.mounts_changed = [] { return false; };
  platform.host_events = [] { return HostWatch::Events{}; };
  platform.pause_reason = [] { return PauseReason::kNone; };
  return platform;
}

// A loop over fake watchers, whose first one becomes `tree` unless that is set. Only the caller
// requests turns.
inline std::unique_ptr<WorktreeLoop> make_stepped_loop(const std::string& worktree,
                                                       const Resident::Options& options,
                                                       Resident::Listener& listener,
                                                       testing::FakeWatcher*& tree) {
  WorktreeLoop::Owner owner;
  owner.wake = owner.metadata_wake = [] {};
  owner.is_wanted = owner.is_stopping = [] { return false; };
  auto make_watcher = [&tree](std::function<void()>) {
    auto watcher = std::make_unique<testing::FakeWatcher>(posix_file_system());
    if (!tree) tree = watcher.get();
    return watcher;
  };
  return std::make_unique<WorktreeLoop>(
      quiet_platform(posix_file_system(), std::move(make_watcher)), std::move(owner),
      testing::value_of(discover(worktree)), options, listener);
}

class WorktreeLoopTest : public ::testing::Test {
 protected:
  using Task = WorktreeLoop::Task;
  using Attempt = WorktreeLoop::Attempt;
  using Kind = ModelState::Kind;

  WorktreeLoopTest() : environment_(repo_.root()) {
    repo_.set_environment("GIT_OPTIONAL_LOCKS", "0");
    repo_.init();
    repo_.write("f", "0");
    repo_.write("d/g", "0");
    repo_.git({"add", "-A"});
    repo_.git({"commit", "-q", "-m", "1"});
    options_.configuration.sweep = 0ms;
    options_.threads = 1;
  }

  void start() {
    WorktreeLoop::Platform platform = quiet_platform(fs_, [this](std::function<void()>) {
      auto watcher = std::make_unique<testing::FakeWatcher>(posix_file_system());
      // A model takes a watcher for its tree, then a watcher for the files around it.
      (made_++ % 2 ? around_ : tree_) = watcher.get();
      return watcher;
    });
    platform.git = runner_;
    platform.now = [this] { return now_; };
    WorktreeLoop::Owner owner;
    owner.wake = [this] { ++wakes_; };
    owner.metadata_wake = owner.wake;
    owner.is_wanted = [this] { return wanted_; };
    owner.is_stopping = [] { return false; };
    owner.moved = [this](const Repository& repository) { moved_.push_back(repository.git_dir); };
    loop_ = std::make_unique<WorktreeLoop>(std::move(platform), std::move(owner),
                                           testing::value_of(discover(repo_.work())), options_,
                                           recorder_);
    loop_->scan();
    loop_->tell_first();
    settle();
  }
  // Runs turns until no turn is requested.
  void settle() {
    for (int turns = 0; std::exchange(wakes_, 0) > 0 && turns < 10; ++turns) turn(true);
  }
  void turn(bool update, const std::vector<Task>& tasks = {}) {
    std::vector<WorktreeLoop::PostedTask> posted;
    for (const Task& task : tasks) posted.push_back({task, now_});
    loop_->turn(std::move(posted), update);
  }
  // Advances the clock to the next due time and runs that turn.
  void next_turn() {
    ASSERT_NE(loop_->due(), WorktreeLoop::kNever);
    now_ = std::max(now_, loop_->due());
    turn(false);
  }
  template <typename Change>
  void configure(const Change& change) {
    change(options_.configuration);
    loop_->configure(options_.configuration);
  }
  uint64_t version() { return recorder_.seen().version; }
  std::string at(const std::string& path) const { return repo_.work() + "/" + path; }

  testing::RepoBuilder repo_;
  testing::HermeticEnvironment environment_;
  testing::CountingFileSystem fs_;
  testing::Recorder recorder_;
  Resident::Options options_;
  std::shared_ptr<testing::FakeGitRunner> runner_;  // null: git runs in place
  WorktreeLoop::Clock::time_point now_{1h};
  int wakes_ = 0;
  bool wanted_ = false;
  int made_ = 0;  // watchers
  std::vector<std::string> moved_;
  testing::FakeWatcher* tree_ = nullptr;
  testing::FakeWatcher* around_ = nullptr;
  std::unique_ptr<WorktreeLoop> loop_;
};

}  // namespace resident
