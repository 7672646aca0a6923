// start_thread(f, args...): starts a thread, or returns the reason why it failed. The user and the
// container bound the number of threads. Beyond that limit, std::thread throws.
//
// Every thread of the core starts here, so that each caller must handle the failure.
//
// A port supplies the functions without a body. One that cannot move threads leaves
// leave_processor() empty.
//
// Threads: any.
#pragma once

#include <system_error>
#include <thread>
#include <utility>

#include "base/result.h"

namespace resident {

// Gives later threads a stack of 8 MiB, if the system's default is smaller.
void ensure_thread_stacks();

// The number of the processor on which the caller runs. It can change at any time.
int current_processor();

// Moves the calling thread from `processor` to another one, if allowed. A new thread can begin on
// the processor of its starter. The system may need milliseconds to move it to an idle processor.
void leave_processor(int processor);

// Moved arguments are lost even if the start fails.
template <typename F, typename... Args>
Result<std::thread> start_thread(F&& f, Args&&... args) {
  ensure_thread_stacks();
  try {
    return std::thread(std::forward<F>(f), std::forward<Args>(args)...);
  } catch (const std::system_error& error) {
    return Error{ErrorCode::kIo, "cannot start a thread: " + error.code().message()};
  }
}

}  // namespace resident
