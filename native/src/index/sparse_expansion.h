// Expands sparse directories of an index, one level at a time. A sparse directory represents a
// whole tree. Expanded, it has the files of that tree, all skip-worktree, and sparse directories
// for its subtrees. The index grows only by what was asked for.
//
// Source: git's sparse-index.c (expand_index), which expands everything at once.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "hash/object_id.h"
#include "index/index.h"

namespace resident {

// One entry of a tree.
struct TreeItem {
  std::string name;
  uint16_t mode;  // git's mode; 0040000 for a subtree
  ObjectId id;
};

// Expands these sparse directories. `contents` has the items of each directory's tree, in the
// tree's order. All other entries stay the same but may move. kUnsupported if an index cannot
// contain a tree's entries.
Result<std::shared_ptr<const Index>> expand_sparse_directories(
    const Index& index, const std::map<uint32_t, std::vector<TreeItem>>& contents);

}  // namespace resident
