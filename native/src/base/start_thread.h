// start_thread(f, args...): a thread, or the error that says why there is none. A process may have
// as many as its user (RLIMIT_NPROC) or its container (a pids limit) allows, and std::thread throws
// where there are no more.
//
// Every thread of the core is started by it, so that each place says what it does without one.
#pragma once

#include <pthread.h>

#include <system_error>
#include <thread>
#include <utility>

#include "base/result.h"

namespace resident {

// What was moved into the arguments is gone also where it fails.
template <typename F, typename... Args>
Result<std::thread> start_thread(F&& f, Args&&... args) {
#ifndef __GLIBC__
  // musl gives a thread 128 KiB where nobody says otherwise; glibc as much as the first one has.
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
