// What `serve` and `watch` share: a worktree is kept until a signal ends the program.
#pragma once

#include <chrono>
#include <ctime>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "cli/stoppable_output.h"
#include "delta/delta_mailbox.h"
#include "service/resident.h"

namespace resident {

// "14:03:21".
std::string time_of_day(std::time_t at);

// One line for people: "watching 2,123 directories".
std::string describe(const ModelState& state);

// "waiting for filter lfs, 12 files, 8 s; last full check 14:03:21, every 10 minutes; 40% of the
// next check", without the parts that do not apply. Empty while there is no valid status.
std::string describe_details(const ModelState& state);

// Takes `--sweep=<minutes>|off` out of `arguments`; nullopt where it is malformed.
std::optional<std::chrono::milliseconds> parse_sweep_option(std::vector<std::string>& arguments);

// Is told of the worktree on a thread of its own, at its own pace: what it is told next is what is
// newest then, so that a terminal that nobody reads stops neither the model nor anybody else.
class WorktreeTeller {
 public:
  virtual ~WorktreeTeller() = default;
  // Whether it is told BranchDetails.
  virtual bool wants_details() const { return false; }
  virtual void on_chunk(const DeltaChunk& chunk) = 0;
  // The worktree went away; nothing follows.
  virtual void on_gone(const std::string& message) = 0;
};

// Keeps the worktree that holds `path`, until SIGINT, SIGTERM or SIGHUP, which end what `teller`
// writes to `outputs` too. Returns the exit code.
int keep_worktree(const std::string& path, std::chrono::milliseconds sweep, WorktreeTeller& teller,
                  std::initializer_list<StoppableOutput*> outputs);

// The same while `run` goes on, on this thread, whose signals are the caller's: those that he has
// blocked no other thread takes.
int keep_worktree_while(const std::string& path, std::chrono::milliseconds sweep,
                        WorktreeTeller& teller, const std::function<void(const Resident&)>& run);

}  // namespace resident
