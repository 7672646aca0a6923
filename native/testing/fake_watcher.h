// FakeWatcher: the test decides the kernel's event queue.
//
// Directories are identified by device and inode, as in inotify. They are held open while they are
// watched: no other directory can reuse the inode.
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
  // Watches the file's name in its directory.
  Result<Added> add_file(const std::string& path) override;
  std::vector<WatchId> add_hints(std::span<const std::string> directories) override;
  void remove(WatchId id) override;
  Batch drain() override {
    const bool is_there = is_exact_ || std::exchange(has_passed_, false);
    return is_there ? pending_.take() : Batch();
  }
  bool is_exact() const override { return is_exact_; }
  Barrier begin_sync() override { return ++begun_; }
  Result<bool> has_synced(Barrier barrier) override;
  // From now on events can only be drained after pass_barriers().
  void be_late() { is_exact_ = false; }
  // All begun barriers pass.
  void pass_barriers() {
    passed_ = begun_;
    has_passed_ = true;
  }
  // Makes barriers fail for this reason; "": they do not fail.
  void fail_sync(std::string why) { sync_failure_ = std::move(why); }
  bool tells_everything(const Directory&) const override { return tells_everything_; }
  void tell_everything(bool tells) { tells_everything_ = tells; }

  // Marks `name` in the directory that is now at `directory` (absolute). No event if it is not
  // watched, as in the kernel.
  void mark(const std::string& directory, std::string_view name, bool arrived = false);
  // Loses events, and keeps the watches.
  void desync(std::string reason) {
    pending_.desync(std::move(reason), PendingChanges::Lost::kEvents);
  }
  // Removes every watch, as if the file system was unmounted for a while.
  void lose_watches(std::string reason);

  // Limits the number of watched directories.
  void limit(size_t watches) { limit_ = watches; }
  // Limits the number of hints; 0 before the first call.
  void offer_hints(size_t most) { most_hints_ = most; }
  // Sends a hint for the directory that is now at `directory`, if it has one.
  void hint(const std::string& directory);
  size_t hints();
  // Refuses all watches for this reason; "": refuses none.
  void refuse(std::string why) {
    limit(why.empty() ? std::numeric_limits<size_t>::max() : 0);
    refusal_ = std::move(why);
  }
  std::optional<WatchShortage> shortage(uint64_t watched, uint64_t missing) const override {
    if (!refusal_.empty()) return std::nullopt;
    return WatchShortage{"watches", watched + missing, "allow more"};
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
  Barrier begun_ = 0;
  Barrier passed_ = 0;
  bool has_passed_ = false;  // since the last drain()
  std::string sync_failure_;
};

}  // namespace resident::testing
