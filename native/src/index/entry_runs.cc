#include "index/entry_runs.h"

#include <algorithm>
#include <cstring>

#include "index/disk_entry.h"

namespace resident {
namespace {

// Number of runs that a thread claims at once.
constexpr size_t kBatch = 1024;

}  // namespace

std::vector<IndexRun> EntryRuns::assign_slots(std::vector<IndexDirectory>& directories,
                                              const uint8_t* file) {
  uint32_t first = 0;
  for (IndexDirectory& directory : directories) {
    directory.first_entry = first;
    first += directory.entry_count;
    directory.entry_count = 0;
  }
  std::vector<IndexRun> in_file;
  in_file.reserve(runs_.size());
  for (size_t r = 0; r < runs_.size(); ++r) {
    Run& run = runs_[r];
    IndexDirectory& directory = directories[run.directory];
    const uint32_t count = end_of(r) - run.first;
    const uint32_t slot = directory.first_entry + directory.entry_count;
    const auto offset = reinterpret_cast<uintptr_t>(run.disk) - reinterpret_cast<uintptr_t>(file);
    in_file.push_back({run.directory, slot, count, static_cast<uint32_t>(offset)});
    run.directory = slot;
    directory.entry_count += count;
  }
  return in_file;
}

void EntryRuns::copy(size_t hash_size, IndexEntry* entries, uint8_t* ids) {
  size_t batch;
  while ((batch = copied_.fetch_add(kBatch)) < runs_.size()) {
    const size_t last = std::min(runs_.size(), batch + kBatch);
    for (size_t run = batch; run < last; ++run) {
      if (hash_size == 20) {
        copy_run<20>(run, entries, ids);
      } else {
        copy_run<32>(run, entries, ids);
      }
    }
  }
}

template <size_t kHashSize>
void EntryRuns::copy_run(size_t r, IndexEntry* entries, uint8_t* ids) const {
  const Run& run = runs_[r];
  const uint32_t end = end_of(r);
  const uint8_t* disk = run.disk;
  uint32_t slot = run.directory;
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

}  // namespace resident
