// CacheTree: the index's TREE extension, which knows the id of the tree that a directory of the
// index would be written as. It lets a comparison of a tree with the index end where both ids are
// equal.
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
    // Index entries at or below the directory; -1 where the node is invalid, that is where the
    // index changed since the tree was written, or contradicts the count.
    int32_t entry_count = -1;
    uint32_t directory = UINT32_MAX;  // of the index; UINT32_MAX where it has no such directory
    uint32_t id_slot = 0;
    bool valid() const { return entry_count >= 0; }
  };

  // What the bytes say, by the names of the index's directories alone. nullopt for malformed bytes,
  // as git drops such an extension: it only ever saves work.
  static std::optional<CacheTree> parse(Bytes extension, const Index& index);
  // To be called before it is used: nodes that contradict the index's entries become invalid.
  void check_counts(const Index& index);

  // Preorder; [0] is the root and always exists.
  std::span<const Node> nodes() const { return nodes_; }
  // The tree's id; `node` is valid().
  ObjectId id(const Node& node) const {
    return ObjectId::from_bytes(Bytes(ids_).subspan(size_t{node.id_slot} * hash_size_, hash_size_));
  }
  // Whether a node counts other entries than the index has. git believes it, and is wrong then.
  bool contradicts_index() const { return contradicts_index_; }
  // Directory d of the index is directory moved[d] of another one now.
  void move_directories(std::span<const uint32_t> moved);
  size_t memory_use() const { return nodes_.capacity() * sizeof(Node) + ids_.capacity(); }

 private:
  std::vector<Node> nodes_;
  std::vector<uint8_t> ids_;
  size_t hash_size_ = 20;
  bool contradicts_index_ = false;
};

}  // namespace resident
