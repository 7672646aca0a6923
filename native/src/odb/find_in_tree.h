// Finds the entry at a path in a tree.
#pragma once

#include <optional>
#include <string_view>

#include "odb/object_database.h"

namespace resident {

struct TreeFind {
  uint32_t mode = 0;  // canonical
  ObjectId id;
};

// `path` is relative to the tree, not empty, without a slash at its end. nullopt: the tree has no
// entry at `path`. The search does not enter submodules.
Result<std::optional<TreeFind>> find_in_tree(ObjectDatabase& objects, const ObjectId& tree,
                                             std::string_view path);

}  // namespace resident
