// CacheTree: the index's TREE extension. It has the id of the tree object that git would write for
// a directory of the index. A comparison of a tree with the index stops at equal ids.
//
// Threads: immutable.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "hash/object_id.h"

namespace resident {

class Index;

class CacheTree {
 public:
  static constexpr uint32_t kNoNode = UINT32_MAX;

  struct Node {
    // Index entries at or below the directory. A node with -1 is invalid: the index changed since
    // the tree was written, or the count contradicts the index.
    int32_t entry_count = -1;
    uint32_t directory = UINT32_MAX;  // in the index; UINT32_MAX: no such directory
    uint32_t id_slot = 0;
    bool valid() const { return entry_count >= 0; }
  };

  // Reads only the names of the index's directories. Malformed bytes give nullopt, because git
  // drops such an extension too: it is only an optimization.
  static std::optional<CacheTree> parse(Bytes extension, const Index& index);
  // Call it before any use. It invalidates nodes that contradict the index's entries.
  void check_counts(const Index& index);

  // Preorder; [0] is the root and always exists.
  std::span<const Node> nodes() const { return nodes_; }
  // The tree's id. `node` must be valid().
  ObjectId id(const Node& node) const {
    return ObjectId::from_bytes(Bytes(ids_).subspan(size_t{node.id_slot} * hash_size_, hash_size_));
  }
  // True if a node's count differs from the index's entries. git trusts the node and gives a wrong
  // answer.
  bool contradicts_index() const { return contradicts_index_; }
  // Replaces directory d of each node by moved[d], its number in another index.
  void move_directories(std::span<const uint32_t> moved);

 private:
  std::vector<Node> nodes_;
  std::vector<uint8_t> ids_;
  size_t hash_size_ = 20;
  bool contradicts_index_ = false;
};

}  // namespace resident
