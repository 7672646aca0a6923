// MetadataGate: saves the look at files of which the kernel would have told that they changed.
//
// The directories of the files are watched by a watcher of the gate's own. drain() takes in what
// the kernel has queued, which is everything that happened before: an event is queued before the
// call that caused it returns. As long as nothing relevant comes, what was found by looking at a
// covered file holds. When something comes, all of it is over, and everything is looked at again.
//
// A file is covered if no event that can change what a look at its path finds stays away:
// - its directory and the one above are watched for the names in them that lead to it, and every
//   directory on the way for its own removal, renaming and permissions. Of what does not exist, the
//   nearest directories that do are watched for the name that is missing;
// - the file itself is watched too, because it can be written by another name of its;
// - no component of its path is a symbolic link, and it is a regular file, a directory or nothing;
// - its file system is one that this host alone writes to, and could be watched.
// Neither a device nor what it tells is watched.
// Anything mounted anywhere, and lost events, end everything that was found.
// What the kernel never tells, a store through mmap, stays untold until reset().
//
// Order without a race: cover(), then look. The other way round something could fall between.
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
  // What was looked at after it was covered. A default one is never current.
  struct Coverage {
    uint64_t generation = 0;
    std::vector<size_t> uncovered;  // positions of what is to be looked at each time
  };

  // `mounts_changed` is asked in each drain().
  MetadataGate(FileSystem& fs, Watcher& watcher, std::function<bool()> mounts_changed);

  // Takes in what happened; ends every Coverage if any of it is relevant.
  void drain();
  // Watches what decides `paths`, absolute and existing or not. Of a path with a '/' at its end the
  // entries of the directory count too; "" is no file. Look at them after this.
  Coverage cover(const std::vector<std::string>& paths);
  // Those of `paths` of whose change nothing tells, devices left out.
  std::vector<std::string> unreported_paths(const std::vector<std::string>& paths);
  bool is_current(const Coverage& coverage) const { return coverage.generation == generation_; }
  // Ends every Coverage and every watch: what is still of use is covered anew.
  void reset();
  // Ends every Coverage, and the watches of files at these paths, which nobody asks about any more.
  // The directories stay watched, so this costs less than reset().
  void release(const std::vector<std::string>& paths);
  // Another one after each relevant event.
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
    // In lower case, as directories can ignore it -> a directory on the way to something.
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
  size_t released_ = 0;  // names that directories are still watched for, at most
  std::map<std::string, DirectoryWatch> directories_;  // by path
  std::map<std::string, WatchId> files_;               // by path
  std::unordered_map<WatchId, Names> names_;
};

// Are `paths` as they were when `coverage` was made? `same(i)` looks at one of them. Where they
// are, `coverage` then spares the next look. `gate` may be null: everything is looked at.
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
