// What a tree has at a path.
#pragma once

#include <optional>
#include <string_view>

#include "odb/object_database.h"

namespace resident {

struct TreeFind {
  uint32_t mode = 0;  // canonical
  ObjectId id;
};

// `path` is relative to the tree, without a slash at the end, and not empty. nullopt where the tree
// has nothing there; nothing is looked for in a submodule.
Result<std::optional<TreeFind>> find_in_tree(ObjectDatabase& objects, const ObjectId& tree,
                                             std::string_view path);

}  // namespace resident
