#include "delta/delta_maker.h"

#include <utility>

namespace resident {

namespace {

bool is_empty(const StatusDelta& delta) {
  return delta.changed.empty() && delta.unmerged.empty() && delta.untracked.empty() &&
         delta.removed.empty() && delta.removed_untracked.empty() && !delta.branch &&
         !delta.operation && !delta.operation_step && !delta.details && !delta.state &&
         delta.problems.empty() && !delta.ignore_rules_changed && !delta.content_changed;
}

}  // namespace

void DeltaMaker::record_event_time(std::chrono::steady_clock::time_point at) {
  if (since_ == std::chrono::steady_clock::time_point{}) since_ = at;
}

void DeltaMaker::mark_untracked(const std::set<std::string>& before,
                                const std::set<std::string>& after) {
  for (const std::string& path : before) {
    if (!after.contains(path)) untracked_.emplace(path, true);
  }
  for (const std::string& path : after) {
    if (!before.contains(path)) untracked_.emplace(path, false);
  }
}

void DeltaMaker::list_rows(StatusDelta& delta) {
  const TrackedRows& now = rows_.rows();
  for (const std::string& path : rows_.consume_changed()) {
    if (const auto changed = now.changed.find(path); changed != now.changed.end()) {
      delta.changed.push_back(changed->second);
    } else if (const auto unmerged = now.unmerged.find(path); unmerged != now.unmerged.end()) {
      delta.unmerged.push_back(unmerged->second);
    } else {
      delta.removed.push_back(path);
    }
  }
}

void DeltaMaker::list_untracked(const Now& now, StatusDelta& delta) {
  for (const auto& [path, was] : std::exchange(untracked_, {})) {
    const bool is = now.untracked.contains(path);
    if (is && !was) delta.untracked.push_back(path);
    if (!is && was) delta.removed_untracked.push_back(path);
  }
}

std::optional<StatusDelta> DeltaMaker::take(Now now, std::vector<std::string> problems,
                                            uint64_t rounds) {
  StatusDelta delta;
  delta.base_version = version_;
  delta.version = version_ + 1;
  list_rows(delta);
  list_untracked(now, delta);
  if (now.branch && now.branch != branch_) delta.branch = branch_ = now.branch;
  if (now.operation != operation_) delta.operation = operation_ = now.operation;
  if (now.details != details_) delta.details = details_ = now.details;
  if (now.operation_step != operation_step_) {
    delta.operation_step = operation_step_ = now.operation_step;
  }
  if (now.state != told_state_) delta.state = told_state_ = std::move(now.state);
  delta.ignore_rules_changed = std::exchange(ignore_rules_changed_, false);
  delta.content_changed = std::exchange(content_changed_, false);
  problems_.record_rounds(rounds);
  for (std::string& problem : problems) {
    if (auto told = problems_.meet(std::move(problem))) {
      delta.problems.push_back(*std::move(told));
    }
  }
  delta.since = std::exchange(since_, {});
  if (is_empty(delta)) return std::nullopt;
  version_ = delta.version;
  return delta;
}

StatusDelta DeltaMaker::whole(const Now& now) const {
  StatusDelta delta;
  delta.version = version_;
  for (const auto& [path, row] : rows_.rows().changed) delta.changed.push_back(row);
  for (const auto& [path, row] : rows_.rows().unmerged) delta.unmerged.push_back(row);
  delta.untracked.assign(now.untracked.begin(), now.untracked.end());
  delta.branch = branch_;
  delta.operation = operation_;
  if (details_) delta.details = details_;
  delta.operation_step = operation_step_;
  delta.state = told_state_;
  delta.ignore_rules_changed = delta.content_changed = true;
  return delta;
}

}  // namespace resident
