// EntryLookup: finds the entries of one directory of an index by name, for who asks for most of
// them. A hash table with open addressing, at most half full.
//
// Reused from directory to directory, so that it allocates nothing.
//
// Threads: one. The index stays as it is from assign() to the last find().
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
  // The position in entries() of the first entry of that name, thus the one with the lowest stage.
  std::optional<uint32_t> find(std::string_view name) const;

 private:
  struct Slot {
    uint32_t entry = 0;  // position in entries_, from 1; 0: empty
    uint32_t tag = 0;    // bits of the name's hash
  };
  // Of the name, or the empty one where it would be.
  size_t find_slot(std::string_view name, uint64_t hash) const;

  const Index* index_ = nullptr;
  std::span<const IndexEntry> entries_;
  std::vector<Slot> slots_;
  int shift_ = 0;  // from a hash to a slot
};

}  // namespace resident
