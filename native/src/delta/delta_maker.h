// DeltaMaker: what was told of a worktree's status, and what is to be told next.
//
// Threads: the model's owner.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "delta/status_delta.h"
#include "delta/told_problems.h"
#include "status/tracked_rows.h"

namespace resident {

class DeltaMaker {
 public:
  // How things stand now.
  struct Now {
    const ChangedRows& changed;
    const UnmergedRows& unmerged;
    const std::set<std::string>& untracked;
    const std::optional<BranchStatus>& branch;  // unset: not known yet
    Operation operation;
    const std::optional<BranchDetails>& details;  // unset: not wanted
    const std::string& operation_step;
    ModelState state;
  };

  void record_event_time(std::chrono::steady_clock::time_point at);
  void mark_rows(const std::set<std::string>& paths) { rows_.insert(paths.begin(), paths.end()); }
  // path -> was it listed before.
  void mark_untracked(const std::map<std::string, bool>& touched) {
    untracked_.insert(touched.begin(), touched.end());
  }
  // One list instead of another.
  void mark_untracked(const std::set<std::string>& before, const std::set<std::string>& after);
  void mark_ignore_rules() { ignore_rules_changed_ = true; }
  void mark_content() { content_changed_ = true; }

  // What changed since the last call, with versions one apart; nullopt where nothing did.
  // `problems` are told unless they were, `rounds` of the sweep ago (ToldProblems).
  std::optional<StatusDelta> take(Now now, std::vector<std::string> problems, uint64_t rounds);
  // Everything, as one delta from version 0 to the current one.
  StatusDelta whole(const Now& now) const;
  // As it was told; null: not yet.
  const ModelState* told_state() const { return told_state_ ? &*told_state_ : nullptr; }

 private:
  void list_rows(const Now& now, StatusDelta& delta);
  void list_untracked(const Now& now, StatusDelta& delta);

  // Since the last take().
  std::set<std::string> rows_;
  std::map<std::string, bool> untracked_;
  bool ignore_rules_changed_ = false;
  bool content_changed_ = false;
  std::chrono::steady_clock::time_point since_{};

  uint64_t version_ = 0;
  std::optional<BranchStatus> branch_;
  std::optional<Operation> operation_;
  std::optional<BranchDetails> details_;
  std::optional<std::string> operation_step_;
  std::optional<ModelState> told_state_;
  ToldProblems problems_;
};

}  // namespace resident
