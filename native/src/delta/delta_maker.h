// DeltaMaker: remembers the status that was sent, and makes the next delta. It also keeps the rows
// that deltas report.
//
// Threads: the model's owner.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "delta/kept_rows.h"
#include "delta/reported_problems.h"
#include "delta/status_delta.h"

namespace resident {

class DeltaMaker {
 public:
  // The current status, apart from the rows of tracked paths.
  struct Now {
    const std::set<std::string>& untracked;
    const std::optional<BranchStatus>& branch;  // unset: not known yet
    Operation operation;
    const std::optional<BranchDetails>& details;  // unset: not wanted
    const std::string& operation_step;
    ModelState state;
  };

  void record_event_time(std::chrono::steady_clock::time_point at);
  KeptRows& rows() { return rows_; }
  // path -> whether it was listed before.
  void mark_untracked(const std::map<std::string, bool>& touched) {
    untracked_.insert(touched.begin(), touched.end());
  }
  // The list `after` replaces the list `before`.
  void mark_untracked(const std::set<std::string>& before, const std::set<std::string>& after);
  void mark_ignore_rules() { ignore_rules_changed_ = true; }
  void mark_content() { content_changed_ = true; }

  // The changes since the last call; nullopt: none. Each delta's version is the last version plus
  // 1. A problem is sent once, and again only if it was gone for a whole round. `rounds`: finished
  // rounds of the sweep (ReportedProblems).
  std::optional<StatusDelta> take(Now now, std::vector<std::string> problems, uint64_t rounds);
  // The whole state, as one delta from version 0 to the current one.
  StatusDelta whole(const Now& now) const;
  // The last state that was sent; null: none yet.
  const ModelState* told_state() const { return told_state_ ? &*told_state_ : nullptr; }

 private:
  void list_rows(StatusDelta& delta);
  void list_untracked(const Now& now, StatusDelta& delta);

  KeptRows rows_;
  // Collected since the last take().
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
  ReportedProblems problems_;
};

}  // namespace resident
