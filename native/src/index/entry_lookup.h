// EntryLookup: finds the entries of one index directory by name, for callers that look up most of
// them. It is a hash table with open addressing, at most half full.
//
// An object is reused from directory to directory and keeps its memory.
//
// Threads: one. The index must not change from assign() to the last find().
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "index/index.h"

namespace resident {

class EntryLookup {
 public:
  // kNoDirectory has no entries.
  void assign(const Index& index, uint32_t directory);
  std::span<const IndexEntry> entries() const { return entries_; }
  // The position in entries() of the first entry with that name. It has the lowest stage.
  std::optional<uint32_t> find(std::string_view name) const;

 private:
  struct Slot {
    uint32_t entry = 0;  // position in entries_ + 1; 0: empty
    uint32_t tag = 0;    // bits of the name's hash
  };
  // The slot of `name`, or the empty slot for inserting it.
  size_t find_slot(std::string_view name, uint64_t hash) const;

  const Index* index_ = nullptr;
  std::span<const IndexEntry> entries_;
  std::vector<Slot> slots_;
  int shift_ = 0;  // right shift from a hash to a slot
};

}  // namespace resident
