// DiskEntry: one entry of an index file in its file format.
//
// Format: git's Documentation/gitformat-index.txt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/bytes.h"
#include "index/index.h"

namespace resident {

inline constexpr size_t kDiskStatSize = 40;  // ten 32-bit fields; the seventh is the mode
inline constexpr size_t kDiskMtimeOffset = 8;
inline constexpr size_t kDiskModeOffset = 24;
inline constexpr uint32_t kDiskModeDirectory = 0040000;

struct DiskFlags {
  static constexpr uint16_t kNameLengthMask = 0x0fff;  // all ones: at least that long
  static constexpr uint16_t kStageShift = 12;
  static constexpr uint16_t kExtended = 0x4000;
  static constexpr uint16_t kAssumeValid = 0x8000;
  static constexpr uint16_t kIntentToAdd = 0x2000;  // this and the next: in the extended flags
  static constexpr uint16_t kSkipWorktree = 0x4000;

  uint16_t base;
  uint16_t extended = 0;
  size_t size = 2;

  // `p` has at least four readable bytes.
  static DiskFlags read(const uint8_t* p) {
    DiskFlags flags{load_be16(p)};
    if (flags.base & kExtended) {
      flags.extended = load_be16(p + 2);
      flags.size = 4;
    }
    return flags;
  }
  bool has_unknown() const { return (extended & ~(kIntentToAdd | kSkipWorktree)) != 0; }
  // Flags in the form of IndexEntry::flags.
  uint16_t entry_flags() const {
    uint16_t flags = (base >> kStageShift) & IndexEntry::kStageMask;
    if (base & kAssumeValid) flags |= IndexEntry::kAssumeValid;
    if (extended & kSkipWorktree) flags |= IndexEntry::kSkipWorktree;
    if (extended & kIntentToAdd) flags |= IndexEntry::kIntentToAdd;
    return flags;
  }
};

struct DiskEntry {
  const uint8_t* disk = nullptr;  // stat data, mode, id, flags
  uint16_t mode = 0;              // like IndexEntry::mode, or kDiskModeDirectory
  uint16_t flags = 0;             // like IndexEntry::flags
  // The path: the first `keep` bytes of the previous path in the file, then `suffix`.
  size_t keep = 0;
  std::string_view suffix;

  size_t path_length() const { return keep + suffix.size(); }
  int stage() const { return flags & IndexEntry::kStageMask; }
  bool is_gitlink() const { return mode == IndexEntry::kGitlinkMode; }
  bool is_sparse_directory() const { return mode == kDiskModeDirectory; }
  Bytes id_bytes(size_t hash_size) const { return {disk + kDiskStatSize, hash_size}; }
};

// Decodes all fields of a checked entry but its path.
inline void decode_fields(const uint8_t* disk, size_t hash_size, IndexEntry& entry) {
  entry.stat.ctime_seconds = load_be32(disk);
  entry.stat.ctime_nanoseconds = load_be32(disk + 4);
  entry.stat.mtime_seconds = load_be32(disk + 8);
  entry.stat.mtime_nanoseconds = load_be32(disk + 12);
  entry.stat.device = load_be32(disk + 16);
  entry.stat.inode = load_be32(disk + 20);
  entry.stat.uid = load_be32(disk + 28);
  entry.stat.gid = load_be32(disk + 32);
  entry.stat.size = load_be32(disk + 36);
  entry.mode = static_cast<uint16_t>(load_be32(disk + kDiskModeOffset));
  entry.flags = DiskFlags::read(disk + kDiskStatSize + hash_size).entry_flags();
}

}  // namespace resident
