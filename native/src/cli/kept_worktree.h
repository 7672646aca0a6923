// Code that `serve` and `watch` share: keeps a worktree until a signal ends the program.
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

// A line for people: "watching 2,123 directories".
std::string describe(const ModelState& state);

// Details for people, for instance "waiting for filter lfs, 12 files, 8 s; last full check
// 14:03:21". Further parts are "every 10 minutes" and "40% of the next check". Parts that do not
// apply are left out. Empty until there is a valid status.
std::string describe_details(const ModelState& state);

// Removes `--sweep=<minutes>|off` from `arguments` and returns its value. nullopt: malformed.
std::optional<std::chrono::milliseconds> parse_sweep_option(std::vector<std::string>& arguments);

// Receives the deltas of a worktree on its own thread, at its own pace. Each call has the newest
// state of that moment. A terminal that nobody reads therefore blocks neither the model nor other
// clients.
class WorktreeTeller {
 public:
  virtual ~WorktreeTeller() = default;
  // Whether the deltas must include BranchDetails.
  virtual bool wants_details() const { return false; }
  virtual void on_chunk(const DeltaChunk& chunk) = 0;
  // The worktree went away. No further call follows.
  virtual void on_gone(const std::string& message) = 0;
};

// Keeps the worktree that contains `path` until SIGINT, SIGTERM or SIGHUP. These signals also stop
// the writes of `teller` to `outputs`. Returns the exit code.
int keep_worktree(const std::string& path, std::chrono::milliseconds sweep, WorktreeTeller& teller,
                  std::initializer_list<StoppableOutput*> outputs);

// The same, but keeps the worktree while `run` runs on this thread. The caller handles the signals:
// signals that the caller has blocked are blocked in all other threads too.
int keep_worktree_while(const std::string& path, std::chrono::milliseconds sweep,
                        WorktreeTeller& teller, const std::function<void(const Resident&)>& run);

}  // namespace resident
