// When git has to unfold a sparse index: something is where one of its directories is kept as a
// single entry. git 2.46 and newer then advise on it.
//
// Source: git's sparse-index.c (convert_to_sparse_rec, clear_skip_worktree_from_present_files).
#pragma once

#include <string>

#include "fs/file_system.h"
#include "index/index.h"
#include "worktree/sparse_cone.h"

namespace resident {

// Whether a directory is there, or a link to one, that git keeps as one entry, or folds up to one
// as it reads the index: it is outside of the cone, and all of its entries are skip-worktree. Costs
// an lstat for each such directory.
bool is_folded_directory_present(FileSystem& fs, const std::string& root, const Index& index,
                                 const SparseCone& cone);

}  // namespace resident
