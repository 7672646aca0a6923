// git's comparison of an index entry with what lstat says, without reading content.
//
// Source: git's read-cache.c (match_stat_data, ie_match_stat, ie_modified, ce_mode_from_stat) and
// Documentation/technical/racy-git.txt. As git is built by default, nanoseconds are recorded but
// not compared.
#pragma once

#include <cstdint>

#include "fs/file_stat.h"
#include "index/index.h"
#include "status/settings.h"

namespace resident {

enum class StatMatch : uint8_t {
  kSame,         // stat data equal and not racy: the content is what the index says
  kDiffers,      // type, mode or size tell that it differs
  kReadContent,  // only the content can tell
};

// `entry` is a file or symbolic link of stage 0, `stat` is of a file or symbolic link.
// `entry_is_empty_blob` counts only for a recorded size of zero.
StatMatch match_stat(const IndexEntry& entry, bool entry_is_empty_blob, const FileStat& stat,
                     Timestamp index_mtime, const WorktreeSettings& settings);

// Whether stat data are the same for git (kSame) although the file was written after they were
// recorded, within the second: times are compared without nanoseconds.
bool is_rewritten_within_second(const IndexEntry& entry, const FileStat& stat,
                                Timestamp index_mtime, const WorktreeSettings& settings);

// The mode that git gives to what lstat says, for comparison with `entry`.
uint32_t worktree_mode(const IndexEntry& entry, const FileStat& stat,
                       const WorktreeSettings& settings);

}  // namespace resident
