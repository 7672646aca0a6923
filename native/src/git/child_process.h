// A child process with its three standard streams in our hands. Linux.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace resident {

// Owns a running child. Destroying one that was not waited for kills and reaps it.
class ChildProcess {
 public:
  // `input`: give the child a socket as standard input rather than /dev/null. `environment` is
  // complete.
  static Result<ChildProcess> spawn(const std::vector<std::string>& command,
                                    const std::vector<std::string>& environment, bool input);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  // Our ends, non-blocking. A socket for input, so that writing to a child that is gone is an error
  // and never a SIGPIPE (MSG_NOSIGNAL).
  UniqueFd input;
  UniqueFd out;
  UniqueFd err;
  // Readable once the child has ended; invalid where the kernel has no pidfd_open (before 5.3).
  UniqueFd ended;

  void signal(int number);
  // True once the child has ended; wait_status() then holds. Never blocks.
  bool try_wait();
  // Blocks until it has ended.
  void wait();
  // As waitpid tells; nullopt where someone else reaped the child.
  std::optional<int> wait_status() const { return status_; }

 private:
  ChildProcess() = default;
  bool wait_with(int flags);

  pid_t pid_ = -1;  // -1 once reaped
  std::optional<int> status_;
};

}  // namespace resident
