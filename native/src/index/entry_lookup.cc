#include "index/entry_lookup.h"

#include <bit>

#include "hash/keyed_hash.h"

namespace resident {

void EntryLookup::assign(const Index& index, uint32_t directory) {
  index_ = &index;
  entries_ = {};
  if (directory != kNoDirectory) entries_ = index.entries_of(directory);
  slots_.assign(std::bit_ceil(2 * entries_.size() + 1), 0);
  shift_ = 64 - std::countr_zero(slots_.size());
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    uint32_t& slot = slots_[find_slot(index.name(entries_[i]))];
    if (slot == 0) slot = i + 1;
  }
}

size_t EntryLookup::find_slot(std::string_view name) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = keyed_hash(name) >> shift_;
  while (slots_[slot] != 0 && index_->name(entries_[slots_[slot] - 1]) != name) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

std::optional<uint32_t> EntryLookup::find(std::string_view name) const {
  if (entries_.empty()) return std::nullopt;
  const uint32_t found = slots_[find_slot(name)];
  return found == 0 ? std::nullopt : std::optional(found - 1);
}

}  // namespace resident
