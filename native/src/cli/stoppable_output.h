// StoppableOutput: writes to a descriptor whose reader may be slow, or never read, until told to
// stop.
//
// Threads: write() from one thread at a time; stop() from any.
#pragma once

#include <atomic>
#include <string_view>

#include "base/unique_fd.h"

namespace resident {

class StoppableOutput {
 public:
  // `fd` stays the caller's, and is left blocking: others may share it.
  explicit StoppableOutput(int fd);

  // Waits for the reader. False once nothing can be written any more: after stop(), or where the
  // reader is gone.
  bool write(std::string_view text);

  // Ends a write() that waits, and every later one.
  void stop();

 private:
  const int fd_;
  UniqueFd stop_;
  std::atomic<bool> stopped_ = false;
};

}  // namespace resident
