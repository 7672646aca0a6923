#include "watch/local_file_system.h"

#include <sys/vfs.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace resident {

namespace {

struct Local {
  uint32_t type;
  // False for overlayfs and FAT: a directory gets another handle when it is copied up or moved.
  // False for read-only file systems, which have no changes to report. Unknown for the others.
  bool has_lasting_handles = false;
};

// Types from linux/magic.h, and some that it lacks.
constexpr Local kLocal[] = {
    {0xef53, true},      // ext2, ext3, ext4
    {0x58465342, true},  // xfs
    {0x9123683e, true},  // btrfs
    {0x01021994, true},  // tmpfs
    {0xf2f52010, true},  // f2fs
    {0xca451a4e, true},  // bcachefs
    {0x858458f6},        // ramfs
    {0x2fc12fc1},        // zfs
    {0x794c7630},        // overlayfs
    {0x4d44},            // vfat
    {0x2011bab0},        // exfat
    {0x7366746e},        // ntfs3
    {0x3153464a},        // jfs
    {0x52654973},        // reiserfs
    {0x3434},            // nilfs2
    {0x15013346},        // udf
    {0x9660},            // iso9660
    {0x73717368},        // squashfs
    {0xe0f5e1e2},        // erofs
};

const Local* find_local(uint32_t type) {
  const Local* const found =
      std::find_if(std::begin(kLocal), std::end(kLocal),
                   [type](const Local& local) { return local.type == type; });
  return found == std::end(kLocal) ? nullptr : found;
}

}  // namespace

bool has_lasting_handles(uint32_t type) {
  const Local* const local = find_local(type);
  return local && local->has_lasting_handles;
}

bool is_on_local_file_system(const Directory& directory) {
  struct statfs found {};
  return ::fstatfs(static_cast<int>(directory.handle()), &found) == 0 &&
         find_local(static_cast<uint32_t>(found.f_type));
}

}  // namespace resident
