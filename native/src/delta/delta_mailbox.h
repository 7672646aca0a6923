// DeltaMailbox: carries deltas from the model's turns to a receiver that takes them at its own
// pace.
//
// The receiver gets chunks, each small enough for one message. A step that needs several chunks
// sets `more` on each chunk but the last.
//
// While the receiver lags, deltas merge. Invariants:
// - Only the newest state of each row is kept. A superseded state is never sent.
// - A row is never sent in an older state than the receiver already has.
// - The mailbox numbers the chunks itself, each from the version of the chunk before. Merging and
//   splitting leave no gap. Only a replay starts from 0 again.
//
// The backlog is bounded: one delta as it was put, and Limits::newer rows that came after it.
// Beyond the limit all waiting rows are dropped. When the receiver comes back, the mailbox asks for
// a replay, which sends the whole state.
//
// put() costs time in proportion to its delta, not to the backlog.
//
// Threads: put() in the model's turns, take() on the receiver's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/thread_annotations.h"
#include "delta/status_delta.h"

namespace resident {

struct DeltaChunk {
  // The mailbox numbers `base_version` and `version` itself.
  StatusDelta delta;
  // The rest of the same step can be taken at once. Fields that are not lists come with the last
  // chunk.
  bool more = false;
};

class DeltaMailbox {
 public:
  struct Limits {
    size_t entries = 2000;
    // Maximum size of a chunk's lists as JSON. A single longer row would be a chunk of its own. No
    // path that the kernel accepts makes such a long row.
    size_t bytes = 512 * 1024;
    // Maximum number of rows that wait behind a delta.
    size_t newer = 100'000;
  };

  // take() calls `ask_replay`. The callback has to put the whole state again, as one delta from
  // version 0.
  explicit DeltaMailbox(std::function<void()> ask_replay) : ask_replay_(std::move(ask_replay)) {}
  DeltaMailbox(Limits limits, std::function<void()> ask_replay)
      : limits_(limits), ask_replay_(std::move(ask_replay)) {}

  // True: wake the receiver. It found the mailbox empty and was not woken since.
  [[nodiscard]] bool put(StatusDelta delta) EXCLUDES(mutex_);

  // Returns at least one row if any row waits. nullopt: nothing waits; the next put() asks for a
  // wake-up.
  std::optional<DeltaChunk> take() EXCLUDES(mutex_);

  // The number of waiting rows and problems.
  size_t waiting() EXCLUDES(mutex_);

 private:
  // A queue that is read at its front.
  template <typename T>
  struct Queue {
    std::vector<T> items;
    size_t taken = 0;

    size_t size() const { return items.size() - taken; }
    bool empty() const { return size() == 0; }
    void fill(std::vector<T> all) {
      items = std::move(all);
      taken = 0;
    }
  };

  // The tracked and the untracked row of a path are two different rows.
  using Key = std::pair<bool, std::string>;  // untracked?; path
  struct Gone {};
  struct Untracked {};
  using Row = std::variant<Gone, ChangedEntry, UnmergedEntry, Untracked>;

  struct Pending {
    bool from_scratch = false;
    // The first delta, in its own order. A row that is also in `newer` is stale.
    Queue<ChangedEntry> changed;
    Queue<UnmergedEntry> unmerged;
    Queue<std::string> untracked;
    Queue<std::string> removed;
    Queue<std::string> removed_untracked;
    std::map<Key, Row> newer;
    Queue<std::string> problems;
    // The fields that are not lists. Its lists are empty.
    StatusDelta rest;

    size_t first_size() const;
  };

  enum class Loss : uint8_t { kNone, kToAsk, kAsked };

  class Budget;

  void add_rows(StatusDelta& delta) REQUIRES(mutex_);
  void merge_rest(StatusDelta& newer) REQUIRES(mutex_);
  void drop_rows() REQUIRES(mutex_);
  DeltaChunk next_chunk() REQUIRES(mutex_);

  const Limits limits_;
  const std::function<void()> ask_replay_;
  Mutex mutex_;
  std::optional<Pending> pending_ GUARDED_BY(mutex_);
  Loss loss_ GUARDED_BY(mutex_) = Loss::kNone;
  bool receiver_waits_ GUARDED_BY(mutex_) = true;
  uint64_t version_ GUARDED_BY(mutex_) = 0;
};

}  // namespace resident
