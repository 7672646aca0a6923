// Watcher: tells which names in which watched directories may have changed.
//
// An event only marks: what a path is now is learnt by looking at it. So moves need no pairing, and
// whatever could not be told in full is `desynced`: then everything must be looked at again.
//
// Exactness: an event is queued before the system call that caused it returns. drain() takes in
// everything that is queued, so a question that drains first has seen every write that returned
// before it was asked.
//
// Order without a race: add() a directory, then read it. What happens in between is in a later
// batch.
//
// Threads: add() and remove() from any thread; drain() from one thread at a time; the wake function
// is called on any thread but the one that drains, and must not block.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "fs/file_system.h"
#include "watch/batch.h"

namespace resident {

class Watcher {
 public:
  virtual ~Watcher() = default;

  // Starts to watch an open directory. The same directory yields the same id, under whatever path
  // it was opened. kNoWatch with kIo: the limit on watches is reached (`at_limit`); kNotFound: it
  // is gone.
  struct Added {
    WatchId id = kNoWatch;
    bool at_limit = false;
  };
  enum class Scope : uint8_t {
    kContents,  // the names in it, what is behind them, and the directory itself
    kNames,     // names that come and go, and the directory itself
    kPlace,     // the directory itself: removed, moved, its attributes; names may be told too
  };
  // Of a directory that is watched already, it is watched for both.
  virtual Result<Added> add(const Directory& directory, Scope scope) = 0;
  Result<Added> add(const Directory& directory) { return add(directory, Scope::kContents); }
  // One file, by absolute path, whatever name it is written by; a symbolic link itself. The empty
  // name is marked when its content or its attributes change, its count of links among them.
  virtual Result<Added> add_file(const std::string& path) = 0;
  // Of directories (absolute paths on local file systems) that add() has no watch left for: their
  // empty names are marked soon after somebody on this host changed what is in them, but for what
  // is written through a mapping, and not without fail. So they are to be looked at nevertheless;
  // they are kept open. An id for each of the first ones, another one each time; kNoWatch for one
  // that cannot be opened. Fewer than were given: there are no more to be had.
  virtual std::vector<WatchId> add_hints(std::span<const std::string>) { return {}; }
  // Later marks of that directory may still be drained once.
  virtual void remove(WatchId id) = 0;

  // What happened before is in what this says: at once where is_exact(), else after a sync().
  virtual Batch drain() = 0;
  virtual bool is_exact() const { return true; }
  // Returns once everything that happened before is there to be drained. An error: it cannot be
  // had, and what is known is to be distrusted.
  virtual Result<void> sync() { return {}; }
  // One watch of the system tells of everything below its directory. Every directory is added
  // nevertheless, which then costs nothing.
  virtual bool is_recursive() const { return false; }

  // Whether its file system is one to which this host alone writes, so that no change of what is in
  // it goes untold.
  virtual bool tells_everything(const Directory& directory) const = 0;

  // Whether, in any watched directory, a change of the attributes of another one that is in it
  // marks its name. Else it is told only where that one is watched itself.
  virtual bool tells_of_subdirectories() const { return true; }

  // What all programs of the user together can watch by the means whose limit is to be raised where
  // more is wanted; 0: unknown.
  virtual uint64_t limit_of_all() const { return 0; }

  // Why nothing at all can be watched, and what would help; empty where something can.
  virtual std::string why_nothing() const { return {}; }
};

}  // namespace resident
