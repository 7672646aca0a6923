// WatchState: the state that `git-resident watch` shows, built from the received deltas.
//
// Threads: one at a time.
#pragma once

#include <array>
#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "delta/delta_mailbox.h"

namespace resident {

enum class WatchGroup : uint8_t { kConflicts, kStaged, kChanged, kUntracked };
inline constexpr size_t kWatchGroups = 4;

struct WatchRow {
  std::string letters;  // "M", "UU", "?"
  std::string from;     // source of a rename or copy, else empty
};

// The changes of one step.
struct WatchedChange {
  std::string time;  // time of day
  // Time from reading the event to reporting the step. Unset: no worktree event caused the step.
  std::optional<std::chrono::steady_clock::duration> latency;
  // The first changed row of the step, with letters "M", "UU", "?", or "-" for a removed row. If no
  // row changed, `letters` and `path` are empty.
  std::string letters;
  std::string path;
  size_t others = 0;  // number of further rows
};

class WatchState {
 public:
  using Rows = std::map<std::string, WatchRow>;  // sorted by path
  // The number of changes that are kept.
  static constexpr size_t kChanges = 100;

  // `now` and `time` are the same moment. `time` is the time of day.
  void apply(const DeltaChunk& chunk, std::chrono::steady_clock::time_point now,
             const std::string& time);
  void gone(const std::string& message);

  // False inside a step whose rest follows at once.
  bool is_whole() const { return is_whole_; }

  // A path with changes on both sides of the index is in two groups.
  const Rows& rows(WatchGroup group) const { return groups_[static_cast<size_t>(group)]; }
  // Unset: unknown.
  const std::optional<BranchStatus>& branch() const { return branch_; }
  Operation operation() const { return operation_; }
  const std::string& operation_step() const { return operation_step_; }
  const ModelState& state() const { return state_; }
  const std::string& problem() const { return problem_; }  // the last problem
  // Newest first.
  const std::deque<WatchedChange>& changes() const { return changes_; }

 private:
  Rows& group(WatchGroup group) { return groups_[static_cast<size_t>(group)]; }
  void set_row(WatchGroup which, const std::string& path, std::string letters, std::string from);
  void apply_rows(const StatusDelta& delta);
  void note(std::string letters, const std::string& path);

  std::array<Rows, kWatchGroups> groups_;
  std::optional<BranchStatus> branch_;
  Operation operation_ = Operation::kNone;
  std::string operation_step_;
  ModelState state_;
  std::string problem_;
  std::deque<WatchedChange> changes_;
  bool is_whole_ = true;
  bool tells_what_is_ = true;  // the step is a whole state, not a change
  WatchedChange step_;         // the current step so far
};

}  // namespace resident
