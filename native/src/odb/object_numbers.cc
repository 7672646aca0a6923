#include "odb/object_numbers.h"

namespace resident {

namespace {

constexpr size_t kFirstSlots = 64;

uint32_t where_bits(const ObjectId& id) {
  return load_be32(id.bytes().data() + 4);
}

uint32_t slot_bits(const ObjectId& id) {
  return load_be32(id.bytes().data());
}

}  // namespace

size_t ObjectNumbers::slot_of(const ObjectId& id) const {
  const size_t mask = slots_.size() - 1;
  const uint32_t bits = slot_bits(id);
  for (size_t at = where_bits(id) & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.number == 0 || (slot.bits == bits && ids_[slot.number - 1] == id)) return at;
  }
}

ObjectNumbers::Added ObjectNumbers::add(const ObjectId& id) {
  if (2 * (ids_.size() + 1) > slots_.size()) grow();
  Slot& slot = slots_[slot_of(id)];
  if (slot.number != 0) return {slot.number - 1, false};
  ids_.push_back(id);
  slot = {size(), slot_bits(id)};
  return {size() - 1, true};
}

void ObjectNumbers::grow() {
  slots_.assign(slots_.empty() ? kFirstSlots : 2 * slots_.size(), Slot());
  for (uint32_t number = 0; number < size(); ++number) {
    slots_[slot_of(ids_[number])] = {number + 1, slot_bits(ids_[number])};
  }
}

}  // namespace resident
