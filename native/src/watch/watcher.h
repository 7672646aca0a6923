// Watcher: reports which files may have changed. A backend is one of two kinds:
// - Per directory: add() watches one directory, and marks have a directory's id and a name in it.
// - Recursive: watch_below() watches a root, and marks have a path from that root.
//
// An event only marks a name; the caller must stat the path to learn its state. Moves therefore
// need no pairing. If events were lost, the batch is `desynced`: everything must be checked again.
//
// Exact backends: the kernel queues an event before the causing system call returns. drain() reads
// all queued events. A question that drains first thus sees every write that returned before it was
// asked.
//
// Late backends: only a barrier shows that all earlier changes can be drained. Nobody waits for it:
// a question is asked again after the wake.
//
// A recursive backend may also report
// - a path with another case, or with short names, which no listing shows;
// - a directory that came or went, without the names below it;
// - a directory with everything below it, in place of many paths.
//
// Order without a race: watch_below() or add() a directory, then read it. A change in between is in
// a later batch.
//
// Threads: add() and remove() from any thread; drain() from one thread at a time. The wake function
// runs on any thread except the draining one, and must not block. It also runs when a barrier ends.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "fs/file_system.h"
#include "watch/batch.h"
#include "watch/watch_ids.h"
#include "watch/watch_shortage.h"

namespace resident {

class Watcher {
 public:
  virtual ~Watcher() = default;

  // Starts to watch an open directory. The same directory gives the same id, under any path.
  // Errors:
  // - kNoWatch with `at_limit`: the limit of watches is reached
  // - kNotFound: the directory is gone
  struct Added {
    WatchId id = kNoWatch;
    bool at_limit = false;
  };
  enum class Scope : uint8_t {
    kContents,  // the names in it, their contents, and the directory itself
    kNames,     // added and removed names, and the directory itself
    kPlace,     // the directory itself: removed, moved, its attributes; may report names too
  };
  // If the directory is already watched, both scopes are watched.
  virtual Result<Added> add(const Directory& directory, Scope scope) = 0;
  Result<Added> add(const Directory& directory) { return add(directory, Scope::kContents); }
  // Watches one file by absolute path, through all of its hard links; a symbolic link itself. Marks
  // the empty name when its content or attributes change, including the number of links.
  virtual Result<Added> add_file(const std::string& path) = 0;
  // Best-effort hints for directories without a watch (absolute paths on local file systems). Their
  // empty names are marked soon after a program on this host changes their content. Writes through
  // a mapping are not reported, and hints can be lost: keep polling. The directories are kept open.
  // Returns a new id for each directory, in order; kNoWatch: it cannot be opened. Fewer ids: no
  // more hints can be had.
  virtual std::vector<WatchId> add_hints(std::span<const std::string>) { return {}; }
  // The next drain() may still contain marks of this directory.
  virtual void remove(WatchId id) = 0;

  // An exact watcher returns all earlier changes. A late one may return fewer.
  virtual Batch drain() = 0;
  virtual bool is_exact() const { return true; }
  // For late watchers. Begins a barrier.
  using Barrier = uint64_t;
  virtual Barrier begin_sync() { return 0; }
  // True: the next drain() completes the changes from before begin_sync(). Does not wait. An error:
  // this is impossible, and the known state may be stale.
  virtual Result<bool> has_synced(Barrier) { return true; }

  // For recursive watchers: remove() does nothing, and add() places no watch. add() returns
  // kRootWatch if the root's watch covers the directory, else `at_limit`.
  virtual bool is_recursive() const { return false; }
  // Watches everything below `root`, an absolute path. Call it before add(), and again after
  // watches were lost. If it fails, nothing is covered. Per-directory watchers do nothing.
  virtual void watch_below(const std::string& /*root*/) {}

  // True if only this host writes to the directory's file system, so that every change in it is
  // reported.
  virtual bool tells_everything(const Directory& directory) const = 0;

  // True if an attribute change of a subdirectory marks its name in each watched parent directory.
  // Otherwise only a watch of the subdirectory itself reports it.
  virtual bool tells_of_subdirectories() const { return true; }

  // The limit that leaves `missing` directories without a watch, while `watched` ones have one.
  // nullopt: a higher limit would not help.
  virtual std::optional<WatchShortage> shortage(uint64_t /*watched*/, uint64_t /*missing*/) const {
    return std::nullopt;
  }

  // The reason why nothing can be watched, and a remedy; empty if something can be watched.
  virtual std::string why_nothing() const { return {}; }
};

}  // namespace resident
