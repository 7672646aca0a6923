// DeltaMailbox: deltas on their way from a model thread to a receiver that takes them at its own
// pace.
//
// The receiver gets chunks of bounded size. While it lags, deltas merge: for each path only the
// newest state is kept, so what waits here is never larger than the worktree's whole status. Chunks
// are numbered here, each from the version of the one before, so that merging and splitting leave
// no gap; only a replay starts from 0 again.
//
// Threads: put() on the model thread, take() on the receiver's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/thread_annotations.h"
#include "model/status_delta.h"

namespace resident {

struct DeltaChunk {
  // `base_version` and `version` are the mailbox's own.
  StatusDelta delta;
  // The rest of the same step can be taken at once. What is not a path comes with the last chunk.
  bool more = false;
};

class DeltaMailbox {
 public:
  struct Limits {
    size_t entries = 2000;
    size_t bytes = 256 * 1024;  // of paths and a fixed share for the rest of an entry
  };

  DeltaMailbox() = default;
  explicit DeltaMailbox(Limits limits) : limits_(limits) {}

  // True where the receiver has to be woken: it found the mailbox empty and was not woken since.
  [[nodiscard]] bool put(StatusDelta delta) EXCLUDES(mutex_);

  // At least one entry where there is any; nullopt where nothing waits, which asks for the next
  // wake-up.
  std::optional<DeltaChunk> take() EXCLUDES(mutex_);

 private:
  // Items that are added at the back and taken at the front.
  template <typename T>
  struct Queue {
    std::vector<T> items;
    size_t taken = 0;

    bool empty() const { return taken == items.size(); }
    void append(std::vector<T> more);
    template <typename Predicate>
    void remove_if(Predicate predicate);
  };

  struct Pending {
    bool from_scratch = false;
    Queue<ChangedEntry> changed;
    Queue<UnmergedEntry> unmerged;
    Queue<std::string> untracked;
    Queue<std::string> removed;
    Queue<std::string> removed_untracked;
    // What is not a list; its lists are empty.
    StatusDelta rest;

    bool has_paths() const;
  };

  void drop_superseded(const StatusDelta& newer) REQUIRES(mutex_);
  void merge_rest(StatusDelta& newer) REQUIRES(mutex_);

  const Limits limits_;
  Mutex mutex_;
  std::optional<Pending> pending_ GUARDED_BY(mutex_);
  bool receiver_waits_ GUARDED_BY(mutex_) = true;
  uint64_t version_ GUARDED_BY(mutex_) = 0;
};

}  // namespace resident
