// GitRun: a running program that its owner advances step by step. Only the destructor blocks: it
// kills a program that has not ended.
//
// Threads: one owner.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "git/git_command.h"
#include "os/child_process.h"
#include "os/event_loop.h"
#include "os/unique_fd.h"

namespace resident {

class GitRun {
 public:
  // `is_stoppable`: stop() may be called, and the program gets its own process group. The data of
  // options.input must outlive the run. The owner itself must watch options.stop.
  static Result<std::unique_ptr<GitRun>> start(const std::vector<std::string>& arguments,
                                               const GitRunOptions& options, bool is_stoppable);

  // Reads and writes without waiting. True: the program has ended.
  bool advance();
  // Call advance() again when one of these descriptors is ready, or after milliseconds_left(). -1:
  // wait only for the descriptors.
  void append_descriptors(std::vector<Awaited>& descriptors) const;
  int milliseconds_left() const;

  // Ends the program and its descendants: first it asks, soon after it kills.
  void stop();
  // Call it after advance() has returned true.
  Result<GitOutput> result();

 private:
  using Clock = std::chrono::steady_clock;

  GitRun(ChildProcess child, const GitRunOptions& options, std::string command);
  void transfer();
  void write_input();
  void read_into(UniqueFd& fd, std::string& bytes);
  void stop_with(ErrorCode code, const std::string& reason);

  ChildProcess child_;
  const GitRunOptions options_;
  const std::string command_;
  std::string_view input_;
  std::optional<Clock::time_point> deadline_;
  std::optional<Clock::time_point> kill_at_;
  std::optional<Error> failure_;
  GitOutput output_;
};

}  // namespace resident
