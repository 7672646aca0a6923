// EntryRuns: where the entries of an index file go once they are grouped by directory.
//
// A file's entries are in the order of their paths, so those of a directory come in runs, between
// them what lies in its subdirectories. The first pass over the file notes each run, with four
// bytes an entry; the second copies run after run to its place, when all directories are counted.
//
// Threads: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bulk_array.h"
#include "index/directory_grouper.h"
#include "index/index.h"

namespace resident {

class EntryRuns {
 public:
  void reserve(size_t entries) { steps_.reserve(entries); }
  // The next entry; its bytes stay where they are until place().
  void add(const uint8_t* disk, const DirectoryGrouper::Place& place);
  size_t entry_count() const { return steps_.size(); }

  // Sets first_entry of each directory from the counts, and fills `entries` and `ids`, which have
  // room for all.
  void place(std::vector<IndexDirectory>& directories, size_t hash_size, IndexEntry* entries,
             uint8_t* ids);

 private:
  // Entries of one directory whose names and whose bytes follow each other.
  struct Run {
    const uint8_t* disk;  // of the first
    uint32_t directory;
    uint32_t name_offset;
    uint32_t first;  // in steps_
  };
  struct Step {
    uint16_t bytes;  // from the entry before it in the run
    uint16_t name_length;
  };

  template <size_t kHashSize>
  void copy(const Run& run, uint32_t end, uint32_t slot, IndexEntry* entries, uint8_t* ids) const;

  BulkArray<Run> runs_;
  BulkArray<Step> steps_;
  uintptr_t previous_ = 0;  // the disk bytes of the entry before
  uint32_t name_end_ = 0;
};

inline void EntryRuns::add(const uint8_t* disk, const DirectoryGrouper::Place& place) {
  const auto address = reinterpret_cast<uintptr_t>(disk);
  uintptr_t step = address - previous_;
  if (runs_.empty() || runs_.back().directory != place.directory ||
      name_end_ != place.name_offset || step > UINT16_MAX) {
    step = 0;
    runs_.push_back(
        {disk, place.directory, place.name_offset, static_cast<uint32_t>(steps_.size())});
  }
  steps_.push_back({static_cast<uint16_t>(step), place.name_length});
  previous_ = address;
  name_end_ = place.name_offset + place.name_length;
}

}  // namespace resident
