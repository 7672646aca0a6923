// The floor of loading an index: reads the file, finds each entry, groups the entries by directory.
// Checks only the file's bounds, reads no extension, computes no checksum. Keeps only each entry's
// offset.
//
// Threads: one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace resident::bench {

class IndexFloor {
 public:
  // Loads versions 2 to 4 with SHA-1. Reuses the memory of the last load.
  Result<void> load(const std::string& path);

  size_t directory_count() const { return directories_.size(); }
  // File offsets of the entries, grouped by directory.
  const std::vector<uint32_t>& entries() const { return grouped_; }
  // Number of entries directly in that directory. Directories are in the order of first mention in
  // the index; [0] is the root.
  uint32_t entry_count(size_t directory) const { return directories_[directory].entry_count; }

 private:
  struct Directory {
    uint32_t first = 0;
    uint32_t entry_count = 0;
  };
  struct Entry {
    uint32_t offset;
    uint32_t directory;
  };
  struct Open {
    uint32_t directory;
    uint32_t prefix;  // length of its path with the final '/'
  };

  Result<void> parse(Bytes file);
  Result<void> parse_plain(Bytes file, uint32_t count);
  Result<void> parse_compressed(Bytes file, uint32_t count);
  void place(uint32_t offset, size_t from, std::string_view suffix);
  void group();

  std::vector<Directory> directories_;
  std::vector<Entry> entries_;
  std::vector<uint32_t> grouped_;
  std::vector<Open> open_;
};

}  // namespace resident::bench
