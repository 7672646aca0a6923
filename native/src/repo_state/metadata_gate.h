// MetadataGate: skips stat() of metadata files while the kernel has reported no change.
//
// The gate's own watcher watches the directories of the files. drain() reads all queued events. The
// kernel queues an event before the system call that caused it returns, so drain() sees every
// earlier change. Without a relevant event, the last result for a covered file is still valid. A
// relevant event invalidates all results, and every file is checked again.
//
// A file is covered if every event that can change the result of stat() on its path is reported:
// - Its directory and the parent directory are watched for the names that lead to the file. Every
//   directory on its path is watched for removal, renames and permissions. If a part of the path is
//   missing, the nearest existing directories are watched for its name.
// - The file itself is watched too, because it can be written through another hard link.
// - No component of its path is a symbolic link. The path is a regular file, a directory or
//   missing.
// - Only this host writes to its file system, and an exact watcher can watch it.
//
// Devices are not watched. A mount anywhere, or lost events, invalidate all results. The kernel
// does not report a write through mmap: it stays unnoticed until reset().
//
// Call cover() first, then check the files. In the other order, a change between both calls would
// be missed.
//
// Threads: one owner thread, the model's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fs/file_system.h"
#include "watch/watcher.h"

namespace resident {

class MetadataGate {
 public:
  // The files that were checked after cover(). A default object is never current.
  struct Coverage {
    uint64_t generation = 0;
    std::vector<size_t> uncovered;  // positions of the files to check each time
  };

  // Each drain() calls `mounts_changed`.
  MetadataGate(FileSystem& fs, Watcher& watcher, std::function<bool()> mounts_changed);

  // Reads all queued events. Ends every Coverage if an event is relevant.
  void drain();
  // Watches everything that decides `paths`, which are absolute and may be missing. If a path ends
  // with '/', the directory's entries count too. "" is ignored. Check the files after this call.
  Coverage cover(const std::vector<std::string>& paths);
  // Returns the `paths` whose changes are not reported, without devices.
  std::vector<std::string> unreported_paths(const std::vector<std::string>& paths);
  bool is_current(const Coverage& coverage) const { return coverage.generation == generation_; }
  // Ends every Coverage and every watch. Needed files must be covered again.
  void reset();
  // Ends every Coverage, and the watches of these files, which are no longer needed. The
  // directories stay watched, so this costs less than reset().
  void release(const std::vector<std::string>& paths);
  // Changes with each relevant event.
  uint64_t generation() const { return generation_; }

 private:
  enum class Standing : uint8_t { kWatched, kMissing, kUncoverable };
  struct DirectoryWatch {
    Standing standing = Standing::kUncoverable;
    WatchId watch = kNoWatch;
  };
  struct Names {
    bool is_file = false;
    bool all = false;
    // Lower-case name, as directories can ignore case -> true: a directory on the way to a file.
    std::map<std::string, bool> leading;
  };

  bool names_device(const std::string& path);
  bool is_covered(const std::string& path);
  bool is_covered_there(const std::string& file, bool entries_count);
  void forget_missing(std::string directory, const std::string& top);
  const DirectoryWatch& directory_watch(const std::string& directory);
  DirectoryWatch watch_directory(const std::string& directory);
  bool watch_name(const std::string& directory, std::string_view name, bool leads,
                  bool all = false);
  bool watch_file(const std::string& file);
  void watch_in_vain(const std::string& path);

  FileSystem& fs_;
  Watcher& watcher_;
  const std::function<bool()> mounts_changed_;
  uint64_t generation_ = 1;
  size_t released_ = 0;  // upper bound of the unneeded names that are still watched
  std::map<std::string, DirectoryWatch> directories_;  // by path
  std::map<std::string, WatchId> files_;               // by path
  std::unordered_map<WatchId, Names> names_;
};

// Returns whether `paths` are unchanged since `coverage` was made. `same(i)` checks one of them. If
// all are unchanged, `coverage` can spare the next checks. `gate` may be null: every path is
// checked.
template <typename Same>
bool unchanged(MetadataGate* gate, MetadataGate::Coverage& coverage,
               const std::vector<std::string>& paths, Same&& same) {
  if (gate && gate->is_current(coverage)) {
    return std::all_of(coverage.uncovered.begin(), coverage.uncovered.end(), same);
  }
  MetadataGate::Coverage fresh;
  if (gate) fresh = gate->cover(paths);
  for (size_t i = 0; i < paths.size(); ++i) {
    if (!same(i)) return false;
  }
  coverage = std::move(fresh);
  return true;
}

}  // namespace resident
