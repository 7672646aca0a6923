// Makes an IoResult from the result of a system call.
#pragma once

#include <sys/types.h>

#include <cerrno>

#include "os/descriptor_io.h"

namespace resident {

// `call()` returns a count of bytes, or -1 and errno. `size`: the number of requested bytes.
template <typename Call>
IoResult io_result(size_t size, Call&& call) {
  ssize_t count;
  do {
    count = call();
  } while (count < 0 && errno == EINTR);
  if (count > 0) return {IoResult::State::kSome, static_cast<size_t>(count), 0};
  if (count == 0) return {size == 0 ? IoResult::State::kSome : IoResult::State::kClosed, 0, 0};
  const bool would_block = errno == EAGAIN || errno == EWOULDBLOCK;
  return {would_block ? IoResult::State::kWouldBlock : IoResult::State::kFailed, 0, errno};
}

}  // namespace resident
