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
  struct Settings {
    bool input = false;  // a socket as standard input rather than /dev/null
    // A process group of its own, so that whatever it starts can be ended with it. Not for what a
    // person at a terminal may interrupt.
    bool own_group = false;
  };
  // `environment` is complete.
  static Result<ChildProcess> spawn(const std::vector<std::string>& command,
                                    const std::vector<std::string>& environment, Settings settings);
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

  // To its group, where it has one of its own.
  void signal(int number);
  // When it has ended, whatever is left of its own group is killed.
  void end_group_with_it() { ends_group_ = own_group_; }
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
  bool own_group_ = false;
  bool ends_group_ = false;
  std::optional<int> status_;
};

}  // namespace resident
