// DeltaMailbox: deltas on their way from a model's turns to a receiver that takes them at its own
// pace.
//
// The receiver gets chunks, each small enough for one message. While it lags, deltas merge: of each
// row only the newest state is kept, what was superseded is never told, and no row is told older
// than it was told before. A step that is told in several chunks says so with each but the last.
// Chunks are numbered here, each from the version of the one before, so that merging and splitting
// leave no gap; only a replay starts from 0 again.
//
// What waits is bounded, however long the receiver takes nothing: one delta as it was put, and
// Limits::newer rows that came after it. Beyond that everything that waits is dropped, and when the
// receiver comes back a replay is asked for, which tells the whole state.
//
// put() costs what the delta costs, however much waits.
//
// Threads: put() in the model's turns, take() on the receiver's.
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
  // `base_version` and `version` are the mailbox's own.
  StatusDelta delta;
  // The rest of the same step can be taken at once. What is no list comes with the last chunk.
  bool more = false;
};

class DeltaMailbox {
 public:
  struct Limits {
    size_t entries = 2000;
    // Of the lists of a chunk as JSON, at most. A single row beyond it is a chunk of its own; no
    // row of a path that the kernel takes is that long.
    size_t bytes = 512 * 1024;
    // Rows that wait behind a delta.
    size_t newer = 100'000;
  };

  // `ask_replay` is called by take(), and has to have everything put again as one delta from
  // version 0.
  explicit DeltaMailbox(std::function<void()> ask_replay) : ask_replay_(std::move(ask_replay)) {}
  DeltaMailbox(Limits limits, std::function<void()> ask_replay)
      : limits_(limits), ask_replay_(std::move(ask_replay)) {}

  // True where the receiver has to be woken: it found the mailbox empty and was not woken since.
  [[nodiscard]] bool put(StatusDelta delta) EXCLUDES(mutex_);

  // At least one row where there is any; nullopt where nothing waits, which asks for the next
  // wake-up.
  std::optional<DeltaChunk> take() EXCLUDES(mutex_);

  // How many rows and problems wait.
  size_t waiting() EXCLUDES(mutex_);

 private:
  // Items that are taken at the front.
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

  // Tracked and untracked rows of a path are two things.
  using Key = std::pair<bool, std::string>;  // is it untracked?; path
  struct Gone {};
  struct Untracked {};
  using Row = std::variant<Gone, ChangedEntry, UnmergedEntry, Untracked>;

  struct Pending {
    bool from_scratch = false;
    // The delta that came first, in its order. A row that is among `newer` is out of date.
    Queue<ChangedEntry> changed;
    Queue<UnmergedEntry> unmerged;
    Queue<std::string> untracked;
    Queue<std::string> removed;
    Queue<std::string> removed_untracked;
    std::map<Key, Row> newer;
    Queue<std::string> problems;
    // What is no list; its lists are empty.
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
