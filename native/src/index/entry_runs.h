// EntryRuns: where the entries of an index file go once they are grouped by directory.
//
// A file's entries are in the order of their paths, so those of a directory come in runs, between
// them what lies in its subdirectories. The first pass over the file notes each run, with four
// bytes an entry; the second copies run after run to its place, when all directories are counted.
//
// Threads: one, until the runs have their slots; then any number may copy.
#pragma once

#include <atomic>
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

  // After the last entry: sets first_entry of each directory from the counts, and gives each run
  // its slots. The runs as they are in the file, which begins at `file`, if there is one file only.
  std::vector<IndexRun> assign_slots(std::vector<IndexDirectory>& directories, const uint8_t* file);
  // Copies runs that nobody copied yet into `entries` and `ids`, which have room for all, until
  // none is left.
  void copy(size_t hash_size, IndexEntry* entries, uint8_t* ids);

 private:
  // Entries of one directory whose names and whose bytes follow each other.
  struct Run {
    const uint8_t* disk;  // of the first
    uint32_t directory;   // then, by assign_slots(), the slot of its first entry
    uint32_t name_offset;
    uint32_t first;  // in steps_
  };
  struct Step {
    uint16_t bytes;  // from the entry before it in the run
    uint16_t name_length;
  };

  uint32_t end_of(size_t run) const {
    return run + 1 < runs_.size() ? runs_[run + 1].first : static_cast<uint32_t>(steps_.size());
  }
  template <size_t kHashSize>
  void copy_run(size_t run, IndexEntry* entries, uint8_t* ids) const;

  BulkArray<Run> runs_;
  BulkArray<Step> steps_;
  uintptr_t previous_ = 0;  // the disk bytes of the entry before
  uint32_t name_end_ = 0;
  std::atomic<size_t> copied_{0};  // runs that somebody copies or has copied
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
  Step& added = *steps_.extend(1);
  added.bytes = static_cast<uint16_t>(step);
  added.name_length = static_cast<uint16_t>(place.name_length);
  previous_ = address;
  name_end_ = place.name_offset + place.name_length;
}

}  // namespace resident
