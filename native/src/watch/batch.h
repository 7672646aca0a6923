// Batch: which names in which watched directories may have changed. It holds no order and no
// duplicates.
//
// Marks that pile up while nobody may look are bounded: beyond Limits a directory is marked as a
// whole, and then everything is (`desynced`).
//
// Threads: one at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace resident {

// Identifies a watched directory (the inode, not its path). Never reused within a Watcher's life.
using WatchId = int32_t;
inline constexpr WatchId kNoWatch = -1;

// How a name was marked.
struct NameMark {
  // The name came into being (created or moved in): a directory of that name is to be read anew,
  // even if it looks like the one that was known.
  bool arrived = false;
};

// Marks of one directory.
struct DirectoryMarks {
  // The empty name is the directory itself: its own attributes, or it was deleted or moved.
  std::unordered_map<std::string, NameMark> names;
  // Every name may be marked, the empty one too; `names` is empty then.
  bool whole = false;
  bool arrived = false;  // of a whole one: some name did
};

class Batch {
 public:
  struct Limits {
    size_t names = 16'384;            // in one directory
    size_t bytes = size_t{12} << 20;  // of memory for all marks; beyond, a scan is cheaper

    friend bool operator==(const Limits&, const Limits&) = default;
  };
  using Directories = std::unordered_map<WatchId, DirectoryMarks>;
  using Time = std::chrono::steady_clock::time_point;

  Batch() = default;
  explicit Batch(const Limits& limits) : limits_(limits) {}

  void mark(WatchId directory, std::string_view name, NameMark mark, Time now);
  // Events were lost. Keeps the first reason. What is marked is dropped: a rescan covers it.
  enum class Lost : uint8_t { kEvents, kWatches };
  void desync(std::string reason, Lost lost, Time now);
  // Takes over what `later` says too.
  void merge(Batch later);
  // What is in it; empty after that.
  Batch take();

  bool empty() const { return directories_.empty() && desynced_.empty(); }
  const Directories& directories() const { return directories_; }
  // Non-empty: events were lost, and why.
  const std::string& desynced() const { return desynced_; }
  // And watches may be gone with them: no id that was given stands for anything any more.
  bool watches_lost() const { return watches_lost_; }
  // When the first of these events was read from the kernel; meaningless for an empty batch.
  Time since() const { return since_; }
  // What the marks cost, at most.
  size_t bytes() const { return bytes_; }

 private:
  void begin(Time now);
  void make_whole(DirectoryMarks& marks, bool arrived);
  void hold_limits(DirectoryMarks& marks);

  Limits limits_;
  Directories directories_;
  size_t bytes_ = 0;
  std::string desynced_;
  bool watches_lost_ = false;
  Time since_;
};

}  // namespace resident
