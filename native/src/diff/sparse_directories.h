// Expands sparse directories of an index from their trees.
#pragma once

#include <memory>
#include <span>

#include "base/result.h"
#include "diff/tree_index_diff.h"
#include "index/index.h"

namespace resident {

// `directories` are elements of index.sparse_directories(). Expands one level: subtrees become
// sparse directories of the result. Fails if a tree cannot be read. kUnsupported: no index can have
// this tree.
Result<std::shared_ptr<const Index>> expand_from_trees(const Index& index,
                                                       std::span<const uint32_t> directories,
                                                       const TreeReader& read_tree);

}  // namespace resident
