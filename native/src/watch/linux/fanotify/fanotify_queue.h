// FanotifyQueue: the only fanotify group of this process, shared by all of its watchers. See
// WatchQueue. Since Linux 5.13, a process may mark every directory that it may read. These marks
// have their own limit (fs.fanotify.max_user_marks).
//
// Unlike inotify, fanotify does not report attribute changes of an unmarked directory to its
// parent. It does not report an unmount either; HostWatch does.
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
#include "watch/linux/watch_queue.h"

namespace resident {

class FanotifyQueue final : public WatchQueue {
 public:
  // Fails if the kernel does not support such groups, or grants none.
  static Result<std::shared_ptr<FanotifyQueue>> of_process();
  ~FanotifyQueue() override { stop(); }

  // `directory` is open. `events` are those of fanotify_mark(2), without its flags. Reports
  // `at_limit` also if the file system, or a rule for this process, forbids the mark.
  Result<Watcher::Added> watch(WatcherNumber watcher, int directory, uint32_t events)
      EXCLUDES(adding_, mutex_);
  // True if any watcher watches the directory.
  bool has(int directory) EXCLUDES(mutex_);

 private:
  explicit FanotifyQueue(UniqueFd queue);
  static Result<std::shared_ptr<FanotifyQueue>> make();

  void take(std::span<const char> events) override REQUIRES(mutex_);
  void take(const FanotifyEvent& event) REQUIRES(mutex_);
  void end_watches(const std::vector<WatchId>& watches) override REQUIRES(adding_) EXCLUDES(mutex_);
  bool unmark(const std::string& key, const std::string& path) REQUIRES(adding_);
  bool is_only_one(const DirectoryKey& key, int directory) EXCLUDES(mutex_);
  // Restarts all watches without the left marks, if these are more than 1/`share` of all marks.
  bool end_left(size_t share) REQUIRES(adding_) EXCLUDES(mutex_);
  void end_all() REQUIRES(adding_, mutex_);

  MarkedDirectories directories_ GUARDED_BY(mutex_);
  // Event file system id -> device. A copy of a file system has the same id.
  std::map<uint64_t, uint64_t> devices_ GUARDED_BY(mutex_);
};

}  // namespace resident
