// LinkedFiles: files with several links, and files that another one is mounted over, which can be
// written by a name that nothing is watched for.
//
// So many as kMaxLinkedFiles are known by their paths; those beyond are the sweep's.
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

// The stat of a file, and whether the file can have changed since without another one.
struct CachedStat {
  FileStat stat;
  Timestamp at;  // before it was asked for

  bool is_current(const FileStat& now) const {
    return stat == now && stat.mtime < at && stat.ctime < at;
  }
};

class LinkedFiles {
 public:
  // The paths at which files are mounted, of which note() is to be told next.
  void set_mounted(std::set<std::string> paths) { mounted_ = std::move(paths); }
  // A look at the file at `path`, before which it was `at`; nullopt: nothing is there.
  void note(const std::string& path, const std::optional<FileStat>& stat, Timestamp at);
  void forget(const std::string& path) { by_path_.erase(path); }
  bool contains(const std::string& path) const { return by_path_.contains(path); }
  std::vector<std::string> paths() const;
  // Those whose stat is another one; each takes a look.
  std::vector<std::string> changed(FileSystem& fs, const Directory& root, uint64_t& looks) const;

  // A new link changes nothing that its file's other names are watched for: they are to be looked
  // at, by the inode.
  void record_new(const std::string& path, const FileStat& stat);
  void record_new(uint64_t inode) { new_inodes_.insert(static_cast<uint32_t>(inode)); }
  // Since the last call.
  std::set<uint32_t> consume_new() { return std::exchange(new_inodes_, {}); }

  // How many more there are.
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
