// git's comparison of an index entry with the result of lstat, without reading content.
//
// Source: git's read-cache.c (match_stat_data, ie_match_stat, ie_modified, ce_mode_from_stat) and
// Documentation/technical/racy-git.txt. Like git's default build, it records nanoseconds but does
// not compare them.
#pragma once

#include <cstdint>

#include "fs/file_stat.h"
#include "index/index.h"
#include "status/settings.h"

namespace resident {

enum class StatMatch : uint8_t {
  kSame,         // stat data equal and not racy: the content is unchanged
  kDiffers,      // type, mode or size prove a difference
  kReadContent,  // only the content can decide
};

// `entry` is a file or symbolic link of stage 0; `stat` is of a file or symbolic link. The flag
// `entry_is_empty_blob` is used only for a recorded size of zero.
StatMatch match_stat(const IndexEntry& entry, bool entry_is_empty_blob, const FileStat& stat,
                     Timestamp index_mtime, const WorktreeSettings& settings);

// True if git sees equal stat data (kSame), but the file was written again within the recorded
// second. git compares times without nanoseconds.
bool is_rewritten_within_second(const IndexEntry& entry, const FileStat& stat,
                                Timestamp index_mtime, const WorktreeSettings& settings);

// git's mode for the result of lstat, for comparison with `entry`.
uint32_t worktree_mode(const IndexEntry& entry, const FileStat& stat,
                       const WorktreeSettings& settings);

}  // namespace resident
