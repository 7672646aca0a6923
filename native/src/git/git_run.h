// GitRun: one program under way, moved on by whoever owns it. Nothing here blocks but the
// destructor, which kills what has not ended.
//
// Threads: one owner.
#pragma once

#include <poll.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "git/child_process.h"
#include "git/git_command.h"

namespace resident {

class GitRun {
 public:
  // `is_stoppable`: stop() may be called; the program then has a process group of its own.
  // options.input must outlive the run; options.stop is the owner's to follow.
  static Result<std::unique_ptr<GitRun>> start(const std::vector<std::string>& arguments,
                                               const GitRunOptions& options, bool is_stoppable);

  // Moves what can be moved. True once the program has ended.
  bool advance();
  // When advance() is to be called again: once one of these descriptors is ready, or after
  // milliseconds_left(); -1: whenever they are.
  void append_descriptors(std::vector<pollfd>& descriptors) const;
  int milliseconds_left() const;

  // Ends it and what it started: politely first, and soon in a way that cannot be ignored.
  void stop();
  // After advance() said true.
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
