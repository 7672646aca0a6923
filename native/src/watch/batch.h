// Batch: the names that may have changed, without duplicates. A per-directory watcher marks names
// in watched directories, a recursive one marks paths.
//
// Limits bound the marks that accumulate while nobody may read them. Beyond Limits::names, a
// directory is marked as a whole. Beyond Limits::bytes, the batch is `desynced`: everything is
// marked.
//
// Threads: one at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace resident {

// Identifies a watched directory by its inode, not by its path. A Watcher never reuses an id.
using WatchId = int32_t;
inline constexpr WatchId kNoWatch = -1;

// How a name was marked.
struct NameMark {
  // The name was created or moved in. A directory with this name must be reread, even if its stat
  // looks like the known one's.
  bool arrived = false;
};

// Marks of one directory.
struct DirectoryMarks {
  // The empty name is the directory itself: its attributes changed, or it was deleted or moved.
  std::unordered_map<std::string, NameMark> names;
  // All names may have changed, also the empty one. `names` is then empty.
  bool whole = false;
  bool arrived = false;  // for a whole directory: some name has arrived
};

// How a path was marked.
struct PathMark {
  // If it is a directory, it must be reread with everything below it. It has arrived, for example.
  bool below = false;
};

class Batch {
 public:
  struct Limits {
    size_t names = 16'384;            // in one watched directory
    size_t bytes = size_t{12} << 20;  // memory of all marks; beyond it, a scan is cheaper

    friend bool operator==(const Limits&, const Limits&) = default;
  };
  using Directories = std::unordered_map<WatchId, DirectoryMarks>;
  // By path from the root of a recursive watch; "" is the root. A directory precedes what is below.
  using Paths = std::map<std::string, PathMark, std::less<>>;
  using Time = std::chrono::steady_clock::time_point;

  Batch() = default;
  explicit Batch(const Limits& limits) : limits_(limits) {}

  void mark(WatchId directory, std::string_view name, NameMark mark, Time now);
  void mark_path(std::string_view path, PathMark mark, Time now);
  // Events were lost. Keeps the first reason, and drops all marks, because a rescan covers them.
  enum class Lost : uint8_t { kEvents, kWatches };
  void desync(std::string reason, Lost lost, Time now);
  // Adds the content of `later`.
  void merge(Batch later);
  // Returns the content, and leaves the batch empty.
  Batch take();

  bool empty() const { return directories_.empty() && paths_.empty() && desynced_.empty(); }
  const Directories& directories() const { return directories_; }
  const Paths& paths() const { return paths_; }
  // Not empty: events were lost, for this reason.
  const std::string& desynced() const { return desynced_; }
  // True: watches may be lost too, and every earlier id is invalid.
  bool watches_lost() const { return watches_lost_; }
  // The time when the first event was read from the kernel; meaningless for an empty batch.
  Time since() const { return since_; }
  // Upper bound of the marks' memory.
  size_t bytes() const { return bytes_; }

 private:
  void begin(Time now);
  void make_whole(DirectoryMarks& marks, bool arrived);
  void hold_limits(DirectoryMarks& marks);
  void hold_bytes();

  Limits limits_;
  Directories directories_;
  Paths paths_;
  size_t bytes_ = 0;
  std::string desynced_;
  bool watches_lost_ = false;
  Time since_;
};

}  // namespace resident
