// HostWaker: calls whoever wants it when something may have happened to the host: a mount, an
// unmount, a wall clock that was set, as a resume does. One thread and one set of descriptors for
// all of a process.
//
// Threads: add() and remove() from any but the waker's own; the calls are made on that one and must
// not block.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <thread>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "base/unique_fd.h"

namespace resident {

class HostWaker {
 public:
  static Result<std::shared_ptr<HostWaker>> of_process();
  ~HostWaker();

  uint64_t add(std::function<void()> wake) EXCLUDES(mutex_);
  // No call follows.
  void remove(uint64_t number) EXCLUDES(mutex_);

 private:
  HostWaker(UniqueFd stop, UniqueFd mounts, UniqueFd clock);
  static Result<std::shared_ptr<HostWaker>> make();
  void run();

  const UniqueFd stop_;
  const UniqueFd mounts_;
  const UniqueFd clock_;  // invalid where it cannot be told that the clock was set

  Mutex mutex_;
  uint64_t last_number_ GUARDED_BY(mutex_) = 0;
  std::map<uint64_t, std::function<void()>> wakes_ GUARDED_BY(mutex_);

  std::thread thread_;
};

}  // namespace resident
