// A child process whose three standard streams we control. Linux.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/unique_fd.h"

namespace resident {

// Owns a running child. The destructor kills and reaps a child that was not waited for.
class ChildProcess {
 public:
  struct Settings {
    bool input = false;  // standard input is a socket instead of /dev/null
    // Gives the child its own process group, so that its descendants can be ended with it. Do not
    // set it for a program that a user may interrupt at a terminal.
    bool own_group = false;
  };
  // `environment` is complete: the child inherits no other variables.
  static Result<ChildProcess> spawn(const std::vector<std::string>& command,
                                    const std::vector<std::string>& environment, Settings settings);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  // Our ends of the streams, non-blocking. The input is a socket: with MSG_NOSIGNAL, a write to an
  // ended child is an error and not a SIGPIPE.
  UniqueFd input;
  UniqueFd out;
  UniqueFd err;
  // Readable after the child has ended. Invalid if the kernel has no pidfd_open (before 5.3).
  UniqueFd ended;

  // Sends the signal to the child, or to its own group if it has one.
  void signal(int number);
  // Kills the rest of the child's own group when the child ends.
  void end_group_with_it() { ends_group_ = own_group_; }
  // True: the child has ended, and wait_status() is set. Never blocks.
  bool try_wait();
  // Blocks until the child has ended.
  void wait();
  // The status from waitpid. nullopt: someone else reaped the child.
  std::optional<int> wait_status() const { return status_; }

 private:
  ChildProcess() = default;
  bool wait_with(int flags);

  pid_t pid_ = -1;  // -1 once reaped
  bool own_group_ = false;
  bool ends_group_ = false;
  std::optional<int> status_;
};

}  // namespace resident
