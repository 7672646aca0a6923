// DirectoryGrouper: turns the index's one sorted list of paths into directories in preorder.
//
// Paths with the same directory prefix are contiguous in that list. One pass with a stack of open
// directories therefore meets each directory exactly once. Most paths are in the same directory as
// the previous path; then only the name is new.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_search.h"
#include "base/result.h"
#include "index/bulk_array.h"
#include "index/index.h"

namespace resident {

// Whether git allows `name` as a path component: not "", ".", ".." or ".git" in any case.
bool is_index_name(std::string_view name);

class DirectoryGrouper {
 public:
  // Position of an added entry in the grouped index.
  struct Place {
    uint32_t directory;
    uint32_t name_offset;
    uint32_t name_length;
  };

  // Longer components and paths are kUnsupported. No supported system could hold such a file.
  static constexpr size_t kMaxComponent = 4095;
  static constexpr size_t kMaxPath = 65535;

  // Both are filled while paths are added. entry_count of each directory is counted; first_entry
  // stays unset.
  DirectoryGrouper(std::vector<IndexDirectory>& directories, BulkArray<char>& names);

  // Adds the next path: the first `keep` bytes of the previous path, then `suffix`, which has no
  // zero byte. Errors carry the reason only; the caller knows file and position.
  Result<Place> add(size_t keep, std::string_view suffix, int stage);
  // Fast version of add() for the usual case. The path is in the directory of the previous file and
  // sorts after that file. Its name needs no further check. False: not the usual case; call add().
  bool add_sibling(size_t keep, std::string_view suffix, int stage, Place& place);
  // Length of the path of the previous file's directory, with its slash. SIZE_MAX if the previous
  // path was not a file, or if there may be no room for another name.
  size_t directory_length() const {
    return after_file_ && names_.size() <= UINT32_MAX - kMaxComponent ? open_.back().prefix
                                                                      : SIZE_MAX;
  }
  // Adds `name` in that directory. The caller has checked the name, and that it sorts after the
  // previous path.
  Place add_checked_sibling(std::string_view name, int stage);
  // Adds a directory that is itself an entry of a sparse index. The path ends in a slash, and
  // nothing may lie below it.
  Result<uint32_t> add_directory(size_t keep, std::string_view suffix);
  // Call it after the last path.
  void finish() { close_until(0); }

 private:
  struct Open {
    uint32_t directory;
    size_t prefix;  // length of its path with the slash at the end; 0 for the root
  };

  std::string_view last_name() const { return {names_.data() + name_offset_, name_length_}; }
  // Counts a file in the directory of the previous file. Its name is already stored at `offset`.
  Place place_sibling(size_t offset, size_t length, int stage);
  void complete_path();
  Result<void> step_to(size_t keep, std::string_view suffix, int stage);
  void close_until(size_t common);
  Result<void> open_directory(std::string_view name, size_t prefix);
  Result<uint32_t> store(std::string_view name);

  std::vector<IndexDirectory>& directories_;
  BulkArray<char>& names_;
  std::vector<Open> open_;
  // Begins with the path of the innermost open directory, with its slash.
  std::string path_;
  // After a file: the name in names_. The previous path is the open directory's path and this name.
  size_t name_offset_ = 0;
  size_t name_length_ = 0;
  bool after_file_ = false;
  int stage_ = 0;
  bool first_ = true;
};

inline DirectoryGrouper::Place DirectoryGrouper::place_sibling(size_t offset, size_t length,
                                                               int stage) {
  name_offset_ = offset;
  name_length_ = length;
  stage_ = stage;
  const uint32_t directory = open_.back().directory;
  ++directories_[directory].entry_count;
  return {directory, static_cast<uint32_t>(offset), static_cast<uint32_t>(length)};
}

inline bool DirectoryGrouper::add_sibling(size_t keep, std::string_view suffix, int stage,
                                          Place& place) {
  if (!after_file_) return false;
  const size_t prefix = open_.back().prefix;
  size_t kept = 0;  // bytes kept from the previous name
  if (keep >= prefix) {
    kept = keep - prefix;
  } else {
    const size_t rest = prefix - keep;
    if (suffix.size() <= rest || std::memcmp(suffix.data(), path_.data() + keep, rest) != 0) {
      return false;
    }
    suffix.remove_prefix(rest);
  }
  if (kept > name_length_) return false;
  // Find where the names differ. They agree before `kept`.
  const std::string_view before = last_name().substr(kept);
  const size_t common = common_prefix(before, suffix);
  if (common == suffix.size()) return false;
  if (common < before.size() &&
      static_cast<unsigned char>(before[common]) > static_cast<unsigned char>(suffix[common])) {
    return false;
  }
  if (contains_byte(suffix, '/')) return false;
  const size_t length = kept + suffix.size();
  if (length > kMaxComponent || prefix + length > kMaxPath || names_.size() + length > UINT32_MAX) {
    return false;
  }
  const size_t offset = names_.size();
  char* name = names_.extend(length);
  if (kept > 0) std::memcpy(name, names_.data() + name_offset_, kept);
  std::memcpy(name + kept, suffix.data(), suffix.size());
  if (name[0] == '.') {
    names_.shrink(offset);
    return false;
  }
  place = place_sibling(offset, length, stage);
  return true;
}

inline DirectoryGrouper::Place DirectoryGrouper::add_checked_sibling(std::string_view name,
                                                                     int stage) {
  const size_t offset = names_.size();
  std::memcpy(names_.extend(name.size()), name.data(), name.size());
  return place_sibling(offset, name.size(), stage);
}

}  // namespace resident
