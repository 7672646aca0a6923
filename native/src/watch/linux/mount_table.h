// MountTable: tells whether anything was mounted or unmounted. What is mounted over a directory
// hides it without an event that inotify knows.
//
// Exact: a mount or an unmount that returned before the question is seen by it. All of a process
// share one descriptor.
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

  // Since open(), or since it was last asked; also where that cannot be told.
  bool changed();

 private:
  class Shared;
  explicit MountTable(std::shared_ptr<Shared> shared);

  std::shared_ptr<Shared> shared_;
  uint64_t seen_ = 0;
};

// Where something is mounted now below `directory` (absolute, without a slash at the end), relative
// to it. Empty where that cannot be told.
std::vector<std::string> mounted_below(const std::string& directory);

}  // namespace resident
