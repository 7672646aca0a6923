#include "watch/local_file_system.h"

#include <sys/vfs.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace resident {

namespace {

// linux/magic.h, and those that it lacks.
bool is_local(uint64_t type) {
  constexpr uint64_t kLocal[] = {
      0xef53,      // ext2, ext3, ext4
      0x58465342,  // xfs
      0x9123683e,  // btrfs
      0x01021994,  // tmpfs
      0x858458f6,  // ramfs
      0xf2f52010,  // f2fs
      0x2fc12fc1,  // zfs
      0xca451a4e,  // bcachefs
      0x794c7630,  // overlayfs
      0x4d44,      // vfat
      0x2011bab0,  // exfat
      0x7366746e,  // ntfs3
      0x3153464a,  // jfs
      0x52654973,  // reiserfs
      0x3434,      // nilfs2
      0x15013346,  // udf
      0x9660,      // iso9660
      0x73717368,  // squashfs
      0xe0f5e1e2,  // erofs
  };
  return std::find(std::begin(kLocal), std::end(kLocal), type) != std::end(kLocal);
}

}  // namespace

bool is_on_local_file_system(const Directory& directory) {
  struct statfs found {};
  return ::fstatfs(static_cast<int>(directory.handle()), &found) == 0 &&
         is_local(static_cast<uint32_t>(found.f_type));
}

}  // namespace resident
