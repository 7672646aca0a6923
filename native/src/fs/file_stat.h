// The result of lstat for a file, as far as git uses it.
#pragma once

#include <compare>
#include <cstdint>

namespace resident {

struct Timestamp {
  int64_t seconds = 0;
  uint32_t nanoseconds = 0;
  friend auto operator<=>(const Timestamp&, const Timestamp&) = default;
};

enum class FileKind : uint8_t {
  kUnknown,  // the directory listing has no type; call lstat
  kRegular,
  kSymlink,
  kDirectory,
  kOther,  // socket, fifo, device: git ignores these
};

struct FileStat {
  FileKind kind = FileKind::kUnknown;
  bool executable = false;   // the owner's x bit; git ignores the others
  uint16_t permissions = 0;  // read, write and execute bits: 0777
  uint32_t uid = 0;
  uint32_t gid = 0;
  uint64_t device = 0;
  uint64_t inode = 0;
  uint64_t links = 0;
  uint64_t size = 0;  // bytes
  Timestamp mtime;
  Timestamp ctime;
  friend bool operator==(const FileStat&, const FileStat&) = default;
};

}  // namespace resident
