// MountTable: tells whether anything was mounted or unmounted. What is mounted over a directory
// hides it without an event that inotify knows.
//
// Exact: a mount or an unmount that returned before the question is seen by it.
//
// Threads: one at a time.
#pragma once

#include "base/result.h"
#include "base/unique_fd.h"

namespace resident {

class MountTable {
 public:
  static Result<MountTable> open();

  // Since open(), or since it was last asked; also where that cannot be told.
  bool changed();

 private:
  explicit MountTable(UniqueFd table) : table_(std::move(table)) {}

  UniqueFd table_;
};

}  // namespace resident
