// The signals with which a user or the system controls this process.
//
// A port supplies every function of this header. Block the signals before any thread starts: all
// threads then block them, and only the waiting one receives them.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/result.h"
#include "os/unique_fd.h"

namespace resident {

// Signals that ask this process to end.
void block_end_signals();
void wait_for_end_signal();
// Sends such a signal to this process.
void request_end();

// Ends this process by _exit(1) after the time, whatever it does.
void exit_after(std::chrono::seconds limit);

// The signals that matter to a program with a screen. Others stay as they are.
class ScreenSignals {
 public:
  enum class Signal : uint8_t {
    kEnd,
    kResized,
    kStop,      // the user stops the job; call stop_here()
    kContinued  // the job continues after it was stopped by other means
  };

  // Blocks these signals.
  static Result<ScreenSignals> make();

  // Readable when a signal has arrived.
  int fd() const { return fd_.get(); }
  // nullopt: none has arrived.
  std::optional<Signal> next();
  // Stops the process like the user's shell expects of a job. Returns when the job continues.
  void stop_here();

 private:
  explicit ScreenSignals(UniqueFd fd) : fd_(std::move(fd)) {}

  UniqueFd fd_;
};

}  // namespace resident
