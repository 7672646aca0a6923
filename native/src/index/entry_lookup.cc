#include "index/entry_lookup.h"

#include <bit>

#include "base/byte_search.h"
#include "hash/keyed_hash.h"

namespace resident {

void EntryLookup::assign(const Index& index, uint32_t directory) {
  index_ = &index;
  entries_ = {};
  if (directory != kNoDirectory) entries_ = index.entries_of(directory);
  slots_.assign(std::bit_ceil(2 * entries_.size() + 1), {});
  shift_ = 64 - std::countr_zero(slots_.size());
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    const std::string_view name = index.name(entries_[i]);
    const uint64_t hash = keyed_hash(name);
    Slot& slot = slots_[find_slot(name, hash)];
    if (slot.entry == 0) slot = {i + 1, static_cast<uint32_t>(hash)};
  }
}

size_t EntryLookup::find_slot(std::string_view name, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  const auto is_it = [&](const Slot& slot) {
    return slot.tag == static_cast<uint32_t>(hash) &&
           same_bytes(index_->name(entries_[slot.entry - 1]), name);
  };
  size_t slot = hash >> shift_;
  while (slots_[slot].entry != 0 && !is_it(slots_[slot])) slot = (slot + 1) & mask;
  return slot;
}

std::optional<uint32_t> EntryLookup::find(std::string_view name) const {
  if (entries_.empty()) return std::nullopt;
  const uint32_t found = slots_[find_slot(name, keyed_hash(name))].entry;
  return found == 0 ? std::nullopt : std::optional(found - 1);
}

}  // namespace resident
