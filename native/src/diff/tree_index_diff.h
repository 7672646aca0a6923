// HEAD's tree against the index: what `git diff-index --cached HEAD` says, as wt-status.c asks for
// it.
//
// Both are walked together in path order. A directory whose cache-tree node has the id of the tree
// on the other side is equal, and nothing below it is looked at. The root is always read, as git
// does: its node can be of a tree that the index is not. `git rebase` writes such ones, where a
// submodule's commit is staged, and git tells so all the same.
//
// An intent-to-add entry counts as absent from the index. Where a path is unmerged it is reported
// as such and never as a change.
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

// The raw content of the tree with that id.
using TreeReader = std::function<Result<std::string>(const ObjectId&)>;

struct TreeIndexDiff {
  std::vector<PathChange> changes;     // by path; kAdded, kDeleted, kModified or kTypeChanged
  std::vector<UnmergedPath> unmerged;  // by path
  // Sparse directories of the index that are another tree than the one that they are compared
  // with. What is below them is in no list: the index is to be expanded there and compared again.
  std::vector<uint32_t> differing_sparse;
  struct Work {
    size_t trees_read = 0;
    size_t subtrees_skipped = 0;  // by the cache-tree
  } work;
};

struct TreeIndexDiffOptions {
  // --ignore-submodules=all. No config has this effect on HEAD against index.
  bool ignore_submodules = false;
};

// `tree` is HEAD's, nullopt for an unborn branch. Fails where a tree cannot be read or is
// malformed; trees deeper than any path on disk can be are kUnsupported.
Result<TreeIndexDiff> diff_tree_index(const std::optional<ObjectId>& tree, const Index& index,
                                      const TreeReader& read_tree,
                                      const TreeIndexDiffOptions& options = {});

}  // namespace resident
