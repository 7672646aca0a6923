// The parts of an Index that follow from its other parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/index.h"

namespace resident {

// The positions of submodules, ascending.
std::vector<uint32_t> gitlinks_in(std::span<const IndexEntry> entries);

// Sets IndexDirectory::cache_tree of each directory. `tree` may be null.
void link_cache_tree(std::span<IndexDirectory> directories, const CacheTree* tree);

// Replaces positions in the file by positions in the index. Returns no marks if `runs` are not all
// entries, or if a mark has no entry.
FsmonitorMarks marks_in_index(FsmonitorMarks in_file, std::span<const IndexRun> runs,
                              size_t entry_count);

}  // namespace resident
