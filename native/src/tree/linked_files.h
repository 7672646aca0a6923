// LinkedFiles: files with several hard links, and files below a file mount. They can be written
// through another path that has no watch.
//
// At most kMaxLinkedFiles are known by their paths. The sweep checks the others.
//
// Threads: the tree's owner.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fs/file_system.h"

namespace resident {

// A file's stat, and a check whether the file is certainly unchanged.
struct CachedStat {
  FileStat stat;
  Timestamp at;  // before the stat

  bool is_current(const FileStat& now) const {
    return stat == now && stat.mtime < at && stat.ctime < at;
  }
};

class LinkedFiles {
 public:
  // Sets the paths of file mounts. Then call record() for each of them.
  void set_mounted(std::set<std::string> paths) { mounted_ = std::move(paths); }
  // Records the stat of the file at `path`, taken after `at`; nullopt: the file is missing.
  void record(const std::string& path, const std::optional<FileStat>& stat, Timestamp at);
  void forget(const std::string& path) { by_path_.erase(path); }
  bool contains(const std::string& path) const { return by_path_.contains(path); }
  std::vector<std::string> paths() const;
  // Paths of files whose stat changed. Adds one to `looks` for each file.
  std::vector<std::string> changed(FileSystem& fs, const Directory& root, uint64_t& looks) const;

  // A new hard link causes no event for the file's other names. They must be rechecked, and are
  // found by the inode.
  void record_new(const std::string& path, const FileStat& stat);
  void record_new(uint64_t inode) { new_inodes_.insert(static_cast<uint32_t>(inode)); }
  // Inodes since the last call.
  std::set<uint32_t> consume_new() { return std::exchange(new_inodes_, {}); }

  // Number of files beyond the limit.
  uint64_t beyond() const { return beyond_; }
  void set_beyond(uint64_t count) { beyond_ = count; }
  void add_beyond(uint64_t count) { beyond_ += count; }
  void clear();

 private:
  std::map<std::string, CachedStat> by_path_;
  std::set<std::string> mounted_;
  uint64_t beyond_ = 0;
  std::set<uint32_t> new_inodes_;
};

}  // namespace resident
