// DirectoryGrouper: turns the index's one sorted list of paths into directories in preorder.
//
// Paths that share a directory's prefix are contiguous in that list, so one pass with a stack of
// open directories meets each directory exactly once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "index/index.h"

namespace resident {

// Whether git lets a path of the index have that component: not "", ".", ".." or any ".git".
bool is_index_name(std::string_view name);

class DirectoryGrouper {
 public:
  // Where an entry's path ended up.
  struct Place {
    uint32_t directory;
    uint32_t name_offset;
    uint16_t name_length;
  };

  // Longer ones are left to git: no system that we run on could hold such a file.
  static constexpr size_t kMaxComponent = 4095;
  static constexpr size_t kMaxPath = 65535;

  // Both are filled as paths arrive. entry_count of each directory is counted, first_entry is not
  // set.
  DirectoryGrouper(std::vector<IndexDirectory>& directories, std::string& names);

  // The next path: the first `keep` bytes of the previous one, then `suffix`. Errors carry the
  // reason only; the caller knows file and position.
  Result<Place> add(size_t keep, std::string_view suffix, int stage);
  // The same for a directory that is itself an entry, of a sparse index: the path ends in a slash.
  // Nothing may lie below it.
  Result<uint32_t> add_directory(size_t keep, std::string_view suffix);
  const std::string& path() const { return path_; }
  // After the last path.
  void finish() { close_until(0); }

 private:
  struct Open {
    uint32_t directory;
    size_t prefix;  // length of its path with the slash at the end; 0 for the root
  };

  Result<void> step_to(size_t keep, std::string_view suffix, int stage);
  void close_until(size_t common);
  Result<void> open_directory(std::string_view name, size_t prefix);
  Result<uint32_t> store(std::string_view name);

  std::vector<IndexDirectory>& directories_;
  std::string& names_;
  std::vector<Open> open_;
  std::string path_;
  int stage_ = 0;
  bool first_ = true;
};

}  // namespace resident
