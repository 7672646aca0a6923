// A child process whose three standard streams we control.
//
// A port supplies ChildProcess, run_program() and replace_by_program(). Only the standard
// descriptors stay open in a child, and signals have their defaults.
//
// Threads: any may start a child; one owner uses it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/process.h"
#include "os/unique_fd.h"

namespace resident {

// Owns a running child. The destructor kills and reaps a child that was not waited for.
class ChildProcess {
 public:
  struct Settings {
    bool input = false;  // standard input is a socket instead of the null device
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

  // Our ends of the streams, non-blocking. The input is a socket: write it with send_some().
  UniqueFd input;
  UniqueFd out;
  UniqueFd err;
  // Readable after the child has ended. Invalid if the system cannot report the end.
  UniqueFd ended;

  // Both reach the child, or its own group if it has one.
  void ask_to_end();
  void kill();
  // Kills the rest of the child's own group when the child ends.
  void end_group_with_it() { ends_group_ = own_group_; }
  // True: the child has ended, and exit_code() is set. Never blocks.
  bool try_wait();
  // Blocks until the child has ended.
  void wait();
  // 128 + signal number if a signal ended the child, like in a shell. nullopt: someone else reaped
  // the child.
  std::optional<int> exit_code() const { return exit_code_; }

 private:
  ChildProcess() = default;
  void signal(int number);
  bool wait_with(int flags);

  ProcessId process_ = -1;  // -1 once reaped
  bool own_group_ = false;
  bool ends_group_ = false;
  std::optional<int> exit_code_;
};

// Runs a program to its end, without its standard output. It has our other streams. Returns its
// exit code.
Result<int> run_program(const std::vector<std::string>& command,
                        const std::vector<std::string>& environment);

// Runs a program in place of this one, with our environment. Returns only on failure.
Error replace_by_program(const std::vector<std::string>& command);

}  // namespace resident
