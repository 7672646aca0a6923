// start_thread(f, args...): starts a thread, or returns the reason why it failed. The user
// (RLIMIT_NPROC) and the container (a pids limit) bound the number of threads. Beyond that limit,
// std::thread throws.
//
// Every thread of the core starts here, so that each caller must handle the failure.
#pragma once

#include <pthread.h>

#include <system_error>
#include <thread>
#include <utility>

#include "base/result.h"

namespace resident {

// Moved arguments are lost even if the start fails.
template <typename F, typename... Args>
Result<std::thread> start_thread(F&& f, Args&&... args) {
#ifndef __GLIBC__
  // Default stack of a thread: 128 KiB in musl; in glibc, the size of the first thread's stack.
  constexpr size_t kStack = size_t{8} << 20;
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kStack);
  ::pthread_setattr_default_np(&attributes);
  ::pthread_attr_destroy(&attributes);
#endif
  try {
    return std::thread(std::forward<F>(f), std::forward<Args>(args)...);
  } catch (const std::system_error& error) {
    return Error{ErrorCode::kIo, "cannot start a thread: " + error.code().message()};
  }
}

}  // namespace resident
