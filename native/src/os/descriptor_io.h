// Reads and writes of descriptors.
//
// A port supplies every function of this header. An interrupted call is repeated, never reported.
//
// Threads: any.
#pragma once

#include <cstddef>
#include <cstdint>

namespace resident {

struct IoResult {
  enum class State : uint8_t {
    kSome,        // `count` bytes, at least one
    kWouldBlock,  // a non-blocking descriptor is not ready, or a socket's timeout is over
    kClosed,      // the other end is closed
    kFailed,
  };
  State state = State::kFailed;
  size_t count = 0;
  int error = 0;  // errno, for kWouldBlock and kFailed

  bool is_over() const { return state == State::kClosed || state == State::kFailed; }
};

IoResult read_some(int fd, void* into, size_t size);
IoResult write_some(int fd, const void* bytes, size_t size);

// A pipe that is ready accepts this many bytes without waiting.
extern const size_t kMaxAtomicWrite;

// Whether another process holds a lock on the file.
bool is_locked_by_another(int fd);

}  // namespace resident
