// Test support for a whole Resident: turns, inotify, deltas pushed to a listener. Every wait is for
// a condition.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/thread_annotations.h"
#include "service/resident.h"
#include "testing/await_answer.h"
#include "testing/hermetic_environment.h"
#include "testing/needs_inotify.h"
#include "testing/repo_builder.h"
#include "testing/value_of.h"

namespace resident::testing {

inline constexpr std::chrono::seconds kPatience{60};

// Applies deltas, and lets a test wait for a state.
class Recorder final : public Resident::Listener {
 public:
  struct Seen {
    uint64_t version = 0;
    std::map<std::string, char> tracked;  // the worktree's letter, else the index's; 'u' unmerged
    std::set<std::string> untracked;
    ModelState state;
    std::string branch;
    std::string git_dir;
    std::vector<std::string> problems;
    std::vector<std::string> unwatched_files;
    int replays = 0;
    std::string gone;
    int gone_calls = 0;
    std::vector<ModelState::Kind> kinds;
  };

  void on_delta(StatusDelta delta) override {
    MutexLock lock(mutex_);
    if (delta.base_version == 0) {
      ++seen_.replays;
      seen_.tracked.clear();
      seen_.untracked.clear();
    } else {
      EXPECT_EQ(delta.base_version, seen_.version);
      EXPECT_EQ(delta.version, seen_.version + 1);
    }
    EXPECT_EQ(seen_.gone_calls, 0) << "nothing follows on_gone";
    seen_.version = delta.version;
    for (const auto& path : delta.removed) seen_.tracked.erase(path);
    for (const auto& path : delta.removed_untracked) seen_.untracked.erase(path);
    for (const auto& entry : delta.changed) {
      seen_.tracked[entry.path] =
          static_cast<char>(entry.worktree == Change::kNone ? entry.index : entry.worktree);
    }
    for (const auto& entry : delta.unmerged) seen_.tracked[entry.path] = 'u';
    seen_.untracked.insert(delta.untracked.begin(), delta.untracked.end());
    if (delta.place) seen_.git_dir = delta.place->git_dir;
    if (delta.unwatched_files) seen_.unwatched_files = *delta.unwatched_files;
    if (delta.branch) seen_.branch = delta.branch->name;
    seen_.problems.insert(seen_.problems.end(), delta.problems.begin(), delta.problems.end());
    if (delta.state) {
      seen_.state = *delta.state;
      seen_.kinds.push_back(delta.state->kind);
    }
    changed_.notify_all();
  }
  void on_gone(const std::string& message) override {
    MutexLock lock(mutex_);
    seen_.gone = message;
    ++seen_.gone_calls;
    changed_.notify_all();
  }

  // Returns the state once `condition` holds. Fails the test on a timeout.
  Seen await(const char* what, const std::function<bool(const Seen&)>& condition) {
    MutexLock lock(mutex_);
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!condition(seen_)) {
      if (changed_.wait_until(lock, end) == std::cv_status::timeout) {
        ADD_FAILURE() << "never: " << what;
        break;
      }
    }
    return seen_;
  }
  Seen await_watching() {
    return await("watching",
                 [](const Seen& seen) { return seen.state.kind == ModelState::Kind::kWatching; });
  }
  Seen seen() {
    MutexLock lock(mutex_);
    return seen_;
  }

 private:
  Mutex mutex_;
  ConditionVariable changed_;
  Seen seen_ GUARDED_BY(mutex_);
};

// A worktree with two files and a .gitignore for *.log, all committed.
class ResidentTest : public ::testing::Test {
 protected:
  using Seen = Recorder::Seen;

  ResidentTest() : environment_(repo_.root()) {
    environment_.set("XDG_RUNTIME_DIR", repo_.root());
    repo_.set_environment("GIT_OPTIONAL_LOCKS", "0");
    repo_.init();
    repo_.write("f", "0");
    repo_.write("d/g", "0");
    repo_.write(".gitignore", "*.log\n");
    repo_.git({"add", "-A"});
    repo_.git({"commit", "-q", "-m", "1"});
  }

  std::unique_ptr<Resident> open(Recorder& recorder, bool listen = false) {
    Resident::Options options;
    options.listen = listen;
    options.watch_metadata = true;
    return value_of(Resident::open(repo_.work(), options, recorder));
  }
  std::unique_ptr<Resident> open() { return open(recorder_); }

  // Wait for the answer.
  static Result<StatusResult> status(Resident& resident, const StatusQuery& query = {}) {
    return await_answer<StatusResult>([&](auto done) { resident.status(query, done); });
  }
  static Result<Resident::RescanResult> rescan(
      Resident& resident, std::function<void(const Resident::RescanProgress&)> progress = {},
      bool cancelled = false) {
    return await_answer<Resident::RescanResult>([&](auto done) {
      resident.rescan(progress, std::make_shared<std::atomic<bool>>(cancelled), done);
    });
  }
  static Result<std::vector<bool>> ignored(Resident& resident, std::vector<std::string> paths) {
    return await_answer<std::vector<bool>>([&](auto done) { resident.ignored(paths, done); });
  }
  using Content = std::optional<std::string>;
  static Content content(Resident& resident, const std::string& path, Resident::Source source) {
    return value_of(
        await_answer<Content>([&](auto done) { resident.content(path, source, done); }));
  }

  std::string at(std::string_view path) const { return repo_.work() + "/" + std::string(path); }

  RepoBuilder repo_;
  HermeticEnvironment environment_;
  Recorder recorder_;
};

}  // namespace resident::testing
