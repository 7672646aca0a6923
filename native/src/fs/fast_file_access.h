// FastFileAccess: calls that make scans cheaper, on systems that have them. A FileSystem works
// without them, and no answer depends on them. A port to another system starts without them.
//
// Threads: as FileSystem.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "fs/file_system.h"

namespace resident {

// Reads a tree ahead while it lives. The destructor does not wait.
class ReadAhead {
 public:
  virtual ~ReadAhead() = default;
};

class FastFileAccess {
 public:
  virtual ~FastFileAccess() = default;

  // Like FileSystem::open_directory_at(), but cheaper. The result serves to look up names and
  // cannot be listed. It needs no read permission on the directory.
  virtual Result<Directory> open_place_at(const Directory& parent, std::string_view name) = 0;
  // Appends the next names to `out`, as many as one system call returns. False: no more names
  // follow. The directory must not have been listed before.
  virtual Result<bool> list_more(const Directory& directory, DirectoryListing& out) = 0;
  // Makes the directories that this thread opens private to it, until the thread ends. The thread
  // then cannot use directories of other threads. False: no change.
  virtual bool use_private_fd_table() = 0;
  // Starts to read the tree at `root` into the system's memory.
  virtual std::unique_ptr<ReadAhead> read_ahead(const std::string& root) = 0;
};

}  // namespace resident
