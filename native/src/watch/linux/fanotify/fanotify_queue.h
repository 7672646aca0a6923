// FanotifyQueue: the one fanotify group of this process, shared by all of its watchers. See
// WatchQueue. Since Linux 5.13 whoever may read a directory may mark it, and these marks have a
// limit of their own (fs.fanotify.max_user_marks).
//
// What inotify tells and fanotify does not: attributes of a directory that is not marked itself, to
// the one around it; and that a file system was unmounted, which HostWatch sees.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "watch/linux/fanotify/fanotify_events.h"
#include "watch/linux/fanotify/marked_directories.h"
#include "watch/watch_queue.h"

namespace resident {

class FanotifyQueue final : public WatchQueue {
 public:
  // Fails where the kernel has no such groups, or grants none.
  static Result<std::shared_ptr<FanotifyQueue>> of_process();
  ~FanotifyQueue() override { stop(); }

  // `directory` is open; `events` as fanotify_mark(2) has them, without its flags. At the limit:
  // also where the file system, or a rule for this process, does not let it be marked.
  Result<Watcher::Added> watch(WatcherNumber watcher, int directory, uint32_t events)
      EXCLUDES(adding_, mutex_);
  // Whether somebody watches it.
  bool has(int directory) EXCLUDES(mutex_);

 private:
  explicit FanotifyQueue(UniqueFd queue);
  static Result<std::shared_ptr<FanotifyQueue>> make();

  void take(std::span<const char> events) override REQUIRES(mutex_);
  void take(const FanotifyEvent& event) REQUIRES(mutex_);
  void end_watches(const std::vector<WatchId>& watches) override REQUIRES(adding_) EXCLUDES(mutex_);
  bool unmark(const std::string& key, const std::string& path) REQUIRES(adding_);
  bool is_only_one(const DirectoryKey& key, int directory) EXCLUDES(mutex_);
  // Where those that are left are more than a share of all, everything is watched anew without
  // them.
  bool end_left(size_t share) REQUIRES(adding_) EXCLUDES(mutex_);
  void end_all() REQUIRES(adding_, mutex_);

  MarkedDirectories directories_ GUARDED_BY(mutex_);
  // By its number in the events, the device: a copy of a file system has the same number.
  std::map<uint64_t, uint64_t> devices_ GUARDED_BY(mutex_);
};

}  // namespace resident
