#include "index/entry_runs.h"

#include <cstring>

#include "index/disk_entry.h"

namespace resident {

template <size_t kHashSize>
void EntryRuns::copy(const Run& run, uint32_t end, uint32_t slot, IndexEntry* entries,
                     uint8_t* ids) const {
  const uint8_t* disk = run.disk;
  uint32_t name_offset = run.name_offset;
  for (uint32_t i = run.first; i < end; ++i, ++slot) {
    const Step step = steps_[i];
    disk += step.bytes;
    IndexEntry& entry = entries[slot];
    decode_fields(disk, kHashSize, entry);
    entry.name_offset = name_offset;
    entry.name_length = step.name_length;
    name_offset += step.name_length;
    std::memcpy(ids + size_t{slot} * kHashSize, disk + kDiskStatSize, kHashSize);
  }
}

void EntryRuns::place(std::vector<IndexDirectory>& directories, size_t hash_size,
                      IndexEntry* entries, uint8_t* ids) {
  uint32_t first = 0;
  for (IndexDirectory& directory : directories) {
    directory.first_entry = first;
    first += directory.entry_count;
    directory.entry_count = 0;
  }
  for (size_t r = 0; r < runs_.size(); ++r) {
    const Run& run = runs_[r];
    const auto end =
        r + 1 < runs_.size() ? runs_[r + 1].first : static_cast<uint32_t>(steps_.size());
    IndexDirectory& directory = directories[run.directory];
    const uint32_t slot = directory.first_entry + directory.entry_count;
    directory.entry_count += end - run.first;
    if (hash_size == 20) {
      copy<20>(run, end, slot, entries, ids);
    } else {
      copy<32>(run, end, slot, entries, ids);
    }
  }
}

}  // namespace resident
