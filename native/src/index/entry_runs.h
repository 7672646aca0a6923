// EntryRuns: copies the entries of an index file into the order of the grouped index.
//
// A file's entries are sorted by path. A directory's entries come in runs, with the entries of its
// subdirectories between the runs. The first pass over the file records each run, with four bytes
// for each entry. The second pass copies the runs to their slots, once all directories are counted.
//
// Threads: one until the runs have their slots; then any number may copy.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "index/bulk_array.h"
#include "index/directory_grouper.h"
#include "index/index.h"

namespace resident {

class EntryRuns {
 public:
  void reserve(size_t entries) { steps_.reserve(entries); }
  // Adds the next entry. Its bytes must stay valid until the last copy().
  void add(const uint8_t* disk, const DirectoryGrouper::Place& place);
  size_t entry_count() const { return steps_.size(); }

  // Call it after the last entry. Sets first_entry of each directory from the counts, and gives
  // each run its slots. Returns the runs in the order of the file. Their offsets are from `file`,
  // and are valid only if there is one file.
  std::vector<IndexRun> assign_slots(std::vector<IndexDirectory>& directories, const uint8_t* file);
  // Copies all runs that no thread has copied yet. `entries` and `ids` have room for all entries.
  void copy(size_t hash_size, IndexEntry* entries, uint8_t* ids);

 private:
  // Entries of one directory that are contiguous in the file and in the names.
  struct Run {
    const uint8_t* disk;  // bytes of the first entry
    uint32_t directory;   // assign_slots() replaces it by the slot of the first entry
    uint32_t name_offset;
    uint32_t first;  // index in steps_
  };
  struct Step {
    uint16_t bytes;  // distance from the previous entry of the run
    uint16_t name_length;
  };

  uint32_t end_of(size_t run) const {
    return run + 1 < runs_.size() ? runs_[run + 1].first : static_cast<uint32_t>(steps_.size());
  }
  template <size_t kHashSize>
  void copy_run(size_t run, IndexEntry* entries, uint8_t* ids) const;

  BulkArray<Run> runs_;
  BulkArray<Step> steps_;
  uintptr_t previous_ = 0;  // address of the previous entry's bytes
  uint32_t name_end_ = 0;
  std::atomic<size_t> copied_{0};  // runs that a thread has claimed for copying
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
