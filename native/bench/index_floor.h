// The floor of loading an index: read the file, find each entry, group the entries by directory.
// Nothing is checked beyond the ends of the file, no extension is read, no checksum computed, and
// of each entry only where it is in the file is kept.
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
  // Versions 2 to 4 with SHA-1. Memory is kept from one load to the next.
  Result<void> load(const std::string& path);

  size_t directory_count() const { return directories_.size(); }
  // Offsets in the file of each directory's entries, one directory after the other.
  const std::vector<uint32_t>& entries() const { return grouped_; }
  // Of entries(): how many there are directly in that directory. In the order in which the index
  // first names them; [0] is the root.
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
    uint32_t prefix;  // length of its path, ending in '/'
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
