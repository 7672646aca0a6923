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
#include <vector>

#include "base/result.h"

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

// Returns the current mount points below `directory`, relative to it. `directory` is absolute,
// without a slash at the end. Empty also if they cannot be read.
std::vector<std::string> mounted_below(const std::string& directory);

}  // namespace resident
