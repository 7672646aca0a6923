// MountTable: reports whether anything was mounted or unmounted. A mount hides a directory without
// an inotify event.
//
// It is exact: changed() reports every mount and unmount that returned before the call. The whole
// process shares one descriptor.
//
// Threads: one at a time for each MountTable.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "os/unique_fd.h"

namespace resident {

class MountTable {
 public:
  static Result<MountTable> open();

  // True if the mounts changed since open() or the last call, or if this is unknown.
  bool changed();

 private:
  class Shared;
  explicit MountTable(std::shared_ptr<Shared> shared);

  std::shared_ptr<Shared> shared_;
  uint64_t seen_ = 0;
};

// Opens the system's table of mounts. poll(2) reports each change once for an open file.
Result<UniqueFd> open_mount_table();
// The current text of the table, see mountinfo in proc(5). Empty if it cannot be read.
std::string mount_table_text();

struct Mount {
  // Device, directory in the device, and mount point, as written in the table. Mount ids are
  // reused, so these identify the mount.
  std::string_view identity;
  std::string path;  // the mount point
};
// The mounts of a table's text, which must outlive the result.
std::vector<Mount> mounts_in(std::string_view text);

// Returns the current mount points below `directory`, relative to it. `directory` is absolute,
// without a slash at the end. Empty also if they cannot be read.
std::vector<std::string> mounted_below(const std::string& directory);

}  // namespace resident
