// FakeWatcher: the test says what the kernel would have queued.
//
// Directories are told apart by device and inode, as inotify does it, and are held open while they
// are watched, so that no other directory can take over a number.
//
// Threads: any.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "fs/file_system.h"
#include "watch/pending_changes.h"
#include "watch/watcher.h"

namespace resident::testing {

class FakeWatcher final : public Watcher {
 public:
  explicit FakeWatcher(FileSystem& fs) : fs_(fs) {}

  using Watcher::add;
  Result<Added> add(const Directory& directory, Scope scope) override;
  // Its marks are those of its name in its directory.
  Result<Added> add_file(const std::string& path) override;
  std::vector<WatchId> add_hints(std::span<const std::string> directories) override;
  void remove(WatchId id) override;
  Batch drain() override {
    const bool is_there = is_exact_ || std::exchange(is_synced_, false);
    return is_there ? pending_.take() : Batch();
  }
  bool is_exact() const override { return is_exact_; }
  Result<void> sync() override;
  // From now on what happened is there to be drained only after a sync().
  void be_late() { is_exact_ = false; }
  // Which fails with this; "": it does not.
  void fail_sync(std::string why) { sync_failure_ = std::move(why); }
  bool tells_everything(const Directory&) const override { return tells_everything_; }
  void tell_everything(bool tells) { tells_everything_ = tells; }

  // Marks `name` in the directory that now stands at `directory` (absolute). Not watched: no event,
  // as in the kernel.
  void mark(const std::string& directory, std::string_view name, bool arrived = false);
  // Events are lost, and the watches stay as they are.
  void desync(std::string reason) {
    pending_.desync(std::move(reason), PendingChanges::Lost::kEvents);
  }
  // Every watch is gone, as when their file system was unmounted for a while.
  void lose_watches(std::string reason);

  // From now on no more than so many directories can be watched at once.
  void limit(size_t watches) { limit_ = watches; }
  // From now on so many hints are to be had at once; none before.
  void offer_hints(size_t most) { most_hints_ = most; }
  // A hint of the directory that now stands at `directory`, where there is one.
  void hint(const std::string& directory);
  size_t hints();
  // The reason why there are none at all; "" for none.
  void refuse(std::string why) {
    limit(why.empty() ? std::numeric_limits<size_t>::max() : 0);
    refusal_ = std::move(why);
  }
  std::string why_nothing() const override { return refusal_; }
  // Called in each add(), before the directory is read.
  void on_add(std::function<void()> hook) { on_add_ = std::move(hook); }
  bool is_watched(const std::string& directory);
  size_t watches();

 private:
  struct Watch {
    WatchId id;
    Directory held;
  };
  using Key = std::pair<uint64_t, uint64_t>;

  FileSystem& fs_;
  PendingChanges pending_;
  Mutex mutex_;
  std::map<Key, Watch> watches_ GUARDED_BY(mutex_);
  std::map<Key, WatchId> hints_ GUARDED_BY(mutex_);
  WatchId next_ GUARDED_BY(mutex_) = 1;
  size_t most_hints_ = 0;
  size_t limit_ = std::numeric_limits<size_t>::max();
  std::function<void()> on_add_;
  bool tells_everything_ = true;
  std::string refusal_;
  bool is_exact_ = true;
  bool is_synced_ = false;
  std::string sync_failure_;
};

}  // namespace resident::testing
