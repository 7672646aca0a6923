// Converts struct stat to FileStat. Called for each file of a worktree.
#pragma once

#include <sys/stat.h>

#include "fs/file_stat.h"

namespace resident {

inline FileStat file_stat_from(const struct stat& st) {
  FileStat out;
  switch (st.st_mode & S_IFMT) {
    case S_IFREG:
      out.kind = FileKind::kRegular;
      break;
    case S_IFLNK:
      out.kind = FileKind::kSymlink;
      break;
    case S_IFDIR:
      out.kind = FileKind::kDirectory;
      break;
    default:
      out.kind = FileKind::kOther;
  }
  out.executable = (st.st_mode & S_IXUSR) != 0;
  out.permissions = static_cast<uint16_t>(st.st_mode & 0777);
  out.uid = st.st_uid;
  out.gid = st.st_gid;
  out.device = st.st_dev;
  out.inode = st.st_ino;
  out.links = st.st_nlink;
  out.size = static_cast<uint64_t>(st.st_size);
  out.mtime = {st.st_mtim.tv_sec, static_cast<uint32_t>(st.st_mtim.tv_nsec)};
  out.ctime = {st.st_ctim.tv_sec, static_cast<uint32_t>(st.st_ctim.tv_nsec)};
  return out;
}

}  // namespace resident
