#include "status/stat_match.h"

#include "object/tree.h"

namespace resident {

namespace {

bool same_stat_data(const IndexStat& known, const FileStat& stat,
                    const WorktreeSettings& settings) {
  if (known.mtime_seconds != static_cast<uint32_t>(stat.mtime.seconds)) return false;
  if (!settings.check_stat) return true;
  if (settings.trust_ctime && known.ctime_seconds != static_cast<uint32_t>(stat.ctime.seconds)) {
    return false;
  }
  return known.uid == stat.uid && known.gid == stat.gid &&
         (!settings.compare_inodes || known.inode == static_cast<uint32_t>(stat.inode));
}

bool type_or_mode_differs(const IndexEntry& entry, const FileStat& stat,
                          const WorktreeSettings& settings) {
  if ((entry.mode & kModeTypeMask) == (kModeSymlink & kModeTypeMask)) {
    if (stat.kind == FileKind::kSymlink) return false;
    return settings.has_symlinks || stat.kind != FileKind::kRegular;
  }
  if (stat.kind != FileKind::kRegular) return true;
  return settings.trust_file_mode && ((entry.mode & 0100) != 0) != stat.executable;
}

}  // namespace

StatMatch match_stat(const IndexEntry& entry, bool entry_is_empty_blob, const FileStat& stat,
                     Timestamp index_mtime, const WorktreeSettings& settings) {
  if (type_or_mode_differs(entry, stat, settings)) return StatMatch::kDiffers;
  const bool same_size = entry.stat.size == static_cast<uint32_t>(stat.size);
  // git also writes a size of zero as its mark "smudged". The size then proves nothing.
  if (!same_size && entry.stat.size != 0) return StatMatch::kDiffers;
  const bool smudged = entry.stat.size == 0 && !entry_is_empty_blob;
  if (!same_size || smudged || !same_stat_data(entry.stat, stat, settings) ||
      is_racy(entry, index_mtime)) {
    return StatMatch::kReadContent;
  }
  return StatMatch::kSame;
}

bool is_rewritten_within_second(const IndexEntry& entry, const FileStat& stat,
                                Timestamp index_mtime, const WorktreeSettings& settings) {
  return (entry.stat.mtime_nanoseconds != stat.mtime.nanoseconds ||
          entry.stat.ctime_nanoseconds != stat.ctime.nanoseconds) &&
         match_stat(entry, false, stat, index_mtime, settings) == StatMatch::kSame;
}

uint32_t worktree_mode(const IndexEntry& entry, const FileStat& stat,
                       const WorktreeSettings& settings) {
  if (stat.kind == FileKind::kSymlink) return kModeSymlink;
  if (stat.kind == FileKind::kDirectory) return kModeGitlink;
  if (stat.kind == FileKind::kRegular) {
    const uint32_t entry_type = entry.mode & kModeTypeMask;
    if (!settings.has_symlinks && entry_type == (kModeSymlink & kModeTypeMask)) return entry.mode;
    if (!settings.trust_file_mode) {
      return entry_type == (kModeRegular & kModeTypeMask) ? entry.mode : kModeRegular;
    }
  }
  return stat.executable ? kModeExecutable : kModeRegular;
}

}  // namespace resident
