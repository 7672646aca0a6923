// Expands sparse directories of an index from the trees that they stand for.
#pragma once

#include <memory>
#include <span>

#include "base/result.h"
#include "diff/tree_index_diff.h"
#include "index/index.h"

namespace resident {

// `directories` are of index.sparse_directories(). One level: their subtrees are sparse directories
// of the answer. Fails where a tree cannot be read; kUnsupported where it can be no index's.
Result<std::shared_ptr<const Index>> expand_from_trees(const Index& index,
                                                       std::span<const uint32_t> directories,
                                                       const TreeReader& read_tree);

}  // namespace resident
