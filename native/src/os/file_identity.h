// FileIdentity: tells two files apart, and two contents of one file.
//
// A port supplies both functions. Use fs/file_system.h for the files of a worktree.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace resident {

struct FileIdentity {
  uint64_t device = 0;
  uint64_t inode = 0;
  int64_t size = 0;
  int64_t mtime_seconds = 0;
  int64_t mtime_nanoseconds = 0;
  bool is_regular = false;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

// Whether both are one file, whatever its content.
inline bool is_same_file(const FileIdentity& one, const FileIdentity& other) {
  return one.device == other.device && one.inode == other.inode;
}

// Follows symbolic links. nullopt: there is no such file.
std::optional<FileIdentity> file_identity(const std::string& path);
// The same, of the link itself.
std::optional<FileIdentity> link_identity(const std::string& path);

}  // namespace resident
