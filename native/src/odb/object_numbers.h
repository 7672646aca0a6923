// ObjectNumbers: ids, numbered in the order in which they were added.
//
// A hash table with open addressing whose slots hold a number and 32 bits of its id, so that a look
// for an id mostly touches one slot and, where it is known, the id itself. Ids are hashes already:
// their own bits say where they go.
//
// Threads: its owner's.
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
  // Fewer than 2^31 in all.
  Added add(const ObjectId& id);

  // Of a number that add() gave. Valid until the next id is added.
  const ObjectId& id(uint32_t number) const { return ids_[number]; }

 private:
  struct Slot {
    uint32_t number = 0;  // plus one; zero: free
    uint32_t bits = 0;    // of the id, others than those that say where it goes
  };
  // The slot of the id, or the free one where it would be.
  size_t slot_of(const ObjectId& id) const;
  void grow();
  uint32_t size() const { return static_cast<uint32_t>(ids_.size()); }

  std::vector<ObjectId> ids_;
  std::vector<Slot> slots_;  // a power of two, at least half of them free; or none
};

}  // namespace resident
