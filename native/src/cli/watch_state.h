// WatchState: what `git-resident watch` shows, folded from the deltas that it was told.
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
  std::string from;     // the source of a rename or copy; empty: neither
};

// A step.
struct WatchedChange {
  std::string time;  // of day
  // From when the event was read until it was told; unset: no event of the worktree began it.
  std::optional<std::chrono::steady_clock::duration> latency;
  // The first row of the step, by its path: "M", "UU", "?", "-" where it is gone. Empty letters:
  // no row changed, and `path` is empty.
  std::string letters;
  std::string path;
  size_t others = 0;  // further rows
};

class WatchState {
 public:
  using Rows = std::map<std::string, WatchRow>;  // by path
  // So many changes are remembered.
  static constexpr size_t kChanges = 100;

  // `now`, and the same as a time of day.
  void apply(const DeltaChunk& chunk, std::chrono::steady_clock::time_point now,
             const std::string& time);
  void gone(const std::string& message);

  // False inside a step whose rest follows at once.
  bool is_whole() const { return is_whole_; }

  // A path with changes on both sides of the index is in two groups.
  const Rows& rows(WatchGroup group) const { return groups_[static_cast<size_t>(group)]; }
  // Unset: not known yet.
  const std::optional<BranchStatus>& branch() const { return branch_; }
  Operation operation() const { return operation_; }
  const std::string& operation_step() const { return operation_step_; }
  const ModelState& state() const { return state_; }
  const std::string& problem() const { return problem_; }  // the last one
  // The newest first.
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
  bool tells_what_is_ = true;  // the step, rather than what changed
  WatchedChange step_;         // what was noted of the step so far
};

}  // namespace resident
