// make_repository: a TreeShape on disk, with a repository around it.
//
// Afterwards HEAD is the branch "main", equal to the index, which is equal to the worktree: every
// entry has its stat data, every directory its cache-tree node, and no file is racily clean (all
// have the same mtime, long ago). The branch "other" differs from it in kOtherFiles files, evenly
// spread, or in an eighth of all where that is fewer. All objects are in one pack.
//
// Files are written here; commits, index and everything else are git's work.
//
// Threads: uses its own inside the call.
#pragma once

#include <string>

#include "base/result.h"
#include "bench/tree_shape.h"

namespace resident::bench {

inline constexpr uint32_t kOtherFiles = 50'000;

// How many files differ between the two branches.
uint32_t other_file_count(const TreeShape& shape);

// `worktree` must not exist; its parent must.
Result<void> make_repository(const TreeShape& shape, const std::string& worktree, unsigned threads);

}  // namespace resident::bench
