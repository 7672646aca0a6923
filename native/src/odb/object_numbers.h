// ObjectNumbers: numbers ids in the order of their insertion.
//
// It is a hash table with open addressing. A slot holds a number and 32 bits of the id. A lookup
// mostly touches one slot and, if the id is known, the id itself. Ids are hashes already, so bits
// of the id select the slot.
//
// Threads: owner only.
#pragma once

#include <cstdint>
#include <vector>

#include "hash/object_id.h"

namespace resident {

class ObjectNumbers {
 public:
  struct Added {
    uint32_t number;
    bool is_new;
  };
  // Returns the number of `id`; adds the id if it is new. At most 2^31 - 1 ids.
  Added add(const ObjectId& id);

  // `number` came from add(). Valid until the next id is added.
  const ObjectId& id(uint32_t number) const { return ids_[number]; }

 private:
  struct Slot {
    uint32_t number = 0;  // number + 1; zero: free
    uint32_t bits = 0;    // bits of the id that do not select the slot
  };
  // Returns the slot of the id, or the free slot for it.
  size_t slot_of(const ObjectId& id) const;
  void grow();
  uint32_t size() const { return static_cast<uint32_t>(ids_.size()); }

  std::vector<ObjectId> ids_;
  std::vector<Slot> slots_;  // size: zero or a power of two; at least half of them are free
};

}  // namespace resident
