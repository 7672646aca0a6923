// Waits for descriptors.
//
// - wait_for() serves a few descriptors that change from call to call.
// - EventQueue serves many descriptors that stay.
// - Wakeup ends a wait from another thread.
//
// A port supplies every function of this header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/result.h"
#include "os/unique_fd.h"

namespace resident {

// Bits of the events of a descriptor.
using Events = uint32_t;
inline constexpr Events kReadable = 1;
inline constexpr Events kWritable = 2;
// An error, or the end of the connection. Reported without a request.
inline constexpr Events kBroken = 4;

// A descriptor that another thread makes readable.
//
// Threads: wake() on any; one thread waits and clears.
class Wakeup {
 public:
  static Result<Wakeup> make();

  int fd() const { return fd_.get(); }
  void wake() const;
  // Ends the readiness until the next wake().
  void clear() const;

 private:
  explicit Wakeup(UniqueFd fd) : fd_(std::move(fd)) {}

  UniqueFd fd_;
};

struct Awaited {
  int fd = -1;  // below 0: ignored
  Events wanted = 0;
  Events ready = 0;  // the result
};

// Waits until a descriptor is ready or the time is over. -1: no limit. Returns after a signal too.
// False: the wait failed, with errno.
bool wait_for(std::span<Awaited> awaited, int milliseconds);

// Threads: one waits; the others may add descriptors and change their events.
class EventQueue {
 public:
  static Result<EventQueue> make();

  // `key` identifies the descriptor in Event. It leaves the queue when it is closed.
  Result<void> add(int fd, Events wanted, uint64_t key);
  // For a descriptor that was added.
  void change(int fd, Events wanted, uint64_t key);

  // Waits like wait_for(). Returns the keys of ready descriptors, valid until the next call. False:
  // the wait failed.
  bool wait(int milliseconds, std::span<const uint64_t>& ready);

 private:
  explicit EventQueue(UniqueFd fd) : fd_(std::move(fd)) {}

  static constexpr size_t kAtOnce = 64;

  UniqueFd fd_;
  uint64_t ready_[kAtOnce] = {};
};

}  // namespace resident
