// FakeRecursiveWatcher: a recursive watcher with every habit that Watcher allows. Its events come
// from a real per-directory watcher; a seed decides what becomes of them.
//
// Its clock stands still except in tick(). An event can be drained some ticks after its change; a
// barrier passes when all earlier events can.
//
// Threads: as Watcher; tick() and lose() on the thread that drains.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/thread_annotations.h"
#include "fs/file_system.h"
#include "watch/watcher.h"

namespace resident::testing {

struct WatchHabits {
  int longest_delay = 3;     // ticks
  bool coalesces = false;    // some events become a mark of a directory above, with all below
  bool renames = false;      // some paths have another case, or short names
  size_t capacity = 10'000;  // events that wait; with more, all of them are lost
};
inline constexpr WatchHabits kAllHabits{.coalesces = true, .renames = true, .capacity = 150};

class FakeRecursiveWatcher final : public Watcher {
 public:
  // `events`: a per-directory watcher of files in `fs`.
  FakeRecursiveWatcher(FileSystem& fs, std::unique_ptr<Watcher> events, const WatchHabits& habits,
                       unsigned seed, std::function<void()> wake = {});

  void tick() EXCLUDES(mutex_);
  // Loses all events that cannot be drained yet.
  void lose() EXCLUDES(mutex_);
  // Adds an event that the next drain() has.
  void report(std::string path, PathMark mark) EXCLUDES(mutex_);

  bool is_recursive() const override { return true; }
  void watch_below(const std::string& root) override EXCLUDES(mutex_);
  using Watcher::add;
  Result<Added> add(const Directory& directory, Scope scope) override EXCLUDES(mutex_);
  Result<Added> add_file(const std::string&) override { return Added{kNoWatch, true}; }
  void remove(WatchId) override {}
  Batch drain() override EXCLUDES(mutex_);
  bool is_exact() const override { return false; }
  Barrier begin_sync() override EXCLUDES(mutex_);
  Result<bool> has_synced(Barrier barrier) override EXCLUDES(mutex_);
  bool tells_everything(const Directory& directory) const override {
    return events_->tells_everything(directory);
  }

 private:
  struct Event {
    uint64_t due;
    std::string path;
    PathMark mark;
  };

  // Reads the events of all earlier changes.
  void gather() REQUIRES(mutex_);
  void watch_tree(const std::string& path) REQUIRES(mutex_);
  void tell(std::string path, PathMark mark) REQUIRES(mutex_);
  std::string renamed(const std::string& path) REQUIRES(mutex_);
  void overflow() REQUIRES(mutex_);
  bool one_in(unsigned count) REQUIRES(mutex_) { return random_() % count == 0; }

  FileSystem& fs_;
  const std::unique_ptr<Watcher> events_;
  const WatchHabits habits_;
  const std::function<void()> wake_;

  Mutex mutex_;
  std::mt19937 random_ GUARDED_BY(mutex_);
  uint64_t now_ GUARDED_BY(mutex_) = 1;
  std::string root_ GUARDED_BY(mutex_);
  uint64_t device_ GUARDED_BY(mutex_) = 0;                   // the root's; 0: nothing is watched
  std::map<WatchId, std::string> paths_ GUARDED_BY(mutex_);  // from the root
  std::vector<Event> waiting_ GUARDED_BY(mutex_);
  bool overflowed_ GUARDED_BY(mutex_) = false;
  Barrier barrier_ GUARDED_BY(mutex_) = 0;  // the last one: the tick at which it passes
};

}  // namespace resident::testing
