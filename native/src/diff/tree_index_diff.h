// Compares HEAD's tree with the index, like `git diff-index --cached HEAD` as wt-status.c runs it.
//
// Both are walked together in path order. A directory is skipped as equal if its cache-tree node
// has the id of the other side's tree.
//
// The root is always read, as in git. Its node can have the id of a tree that differs from the
// index. Such nodes come from `git rebase` if a submodule's commit is staged. Even then git reports
// the difference.
//
// An intent-to-add entry counts as absent from the index. An unmerged path is reported as unmerged
// and never as a change.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "diff/path_change.h"
#include "hash/object_id.h"
#include "index/index.h"

namespace resident {

// Reads the raw content of the tree with that id.
using TreeReader = std::function<Result<std::string>(const ObjectId&)>;

struct TreeIndexDiff {
  std::vector<PathChange> changes;  // sorted by path; kAdded, kDeleted, kModified or kTypeChanged
  std::vector<UnmergedPath> unmerged;  // sorted by path
  // Sparse directories whose tree differs from the tree on the other side. The lists above have no
  // paths below them. Expand these directories and compare again.
  std::vector<uint32_t> differing_sparse;
  struct Work {
    size_t trees_read = 0;
    size_t subtrees_skipped = 0;  // equal by the cache-tree
  } work;
};

struct TreeIndexDiffOptions {
  // --ignore-submodules=all. No config has this effect on HEAD against index.
  bool ignore_submodules = false;
};

// `tree` is HEAD's; nullopt: unborn branch. Fails if a tree cannot be read or is malformed.
// kUnsupported: trees are nested deeper than any path on disk can be.
Result<TreeIndexDiff> diff_tree_index(const std::optional<ObjectId>& tree, const Index& index,
                                      const TreeReader& read_tree,
                                      const TreeIndexDiffOptions& options = {});

}  // namespace resident
