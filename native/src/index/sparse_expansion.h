// Sparse directories, one level at a time: a directory that stands for a whole tree becomes one
// with the files of that tree, all skip-worktree, and with sparse directories for its subtrees. So
// an index is never larger than what was asked of it.
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
  uint16_t mode;  // as in git; 0040000 for a subtree
  ObjectId id;
};

// The index with these sparse directories expanded; each with what its tree holds, in the tree's
// order. Everything else is as it was, at other positions. kUnsupported where a tree's entries
// could not be an index's.
Result<std::shared_ptr<const Index>> expand_sparse_directories(
    const Index& index, const std::map<uint32_t, std::vector<TreeItem>>& contents);

}  // namespace resident
