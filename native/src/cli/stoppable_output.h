// StoppableOutput: writes to a descriptor until it is stopped. The reader may be slow or never
// read.
//
// Threads: write() from one thread at a time; stop() from any thread.
#pragma once

#include <atomic>
#include <string_view>

#include "base/result.h"
#include "os/event_loop.h"

namespace resident {

class StoppableOutput {
 public:
  // The caller keeps `fd`. It stays in blocking mode, because others may share it.
  explicit StoppableOutput(int fd);

  // Waits for the reader. Returns false if no further write is possible: after stop(), or without a
  // reader.
  bool write(std::string_view text);

  // Ends a waiting write() and makes every later write() fail.
  void stop();

 private:
  const int fd_;
  const Result<Wakeup> stop_;
  std::atomic<bool> stopped_ = false;
};

}  // namespace resident
