// make_repository: writes a TreeShape and its repository to disk.
//
// Afterwards HEAD is the branch "main". HEAD, index and worktree are equal. Every entry has its
// stat data, every directory its cache-tree node. No file is racily clean: all have the same old
// mtime. The branch "other" differs in kOtherFiles files, evenly spread, or in an eighth of all
// files if that is fewer. All objects are in one pack.
//
// Files are written here; git makes commits, the index and everything else.
//
// Threads: uses its own inside the call.
#pragma once

#include <string>

#include "base/result.h"
#include "bench/tree_shape.h"

namespace resident::bench {

inline constexpr uint32_t kOtherFiles = 50'000;

// Number of files that differ between the two branches.
uint32_t other_file_count(const TreeShape& shape);

// `worktree` must not exist; its parent must.
Result<void> make_repository(const TreeShape& shape, const std::string& worktree, unsigned threads);

}  // namespace resident::bench
