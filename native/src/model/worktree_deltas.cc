// The part of WorktreeModel that tells what changed.
#include <algorithm>

#include "model/worktree_model.h"

namespace resident {

namespace {

// What takes no longer is not worth telling.
constexpr std::chrono::seconds kNoticeable{1};

}  // namespace

std::optional<std::chrono::steady_clock::time_point> WorktreeModel::due() const {
  std::optional<std::chrono::steady_clock::time_point> due = question_due();
  const auto awaited = tasks_.longest_awaited();
  if (!awaited || (told_state_ && told_state_->waiting)) return due;
  const auto noticeable = awaited->since + kNoticeable;
  return due ? std::min(*due, noticeable) : noticeable;
}

ModelState WorktreeModel::state() const {
  ModelState state;
  state.directories = tree_->watched();
  state.sweep = sweep_state_;
  state.linked_beyond = tree_->linked_beyond();
  const auto awaited = tasks_.longest_awaited();
  if (awaited && std::chrono::steady_clock::now() - awaited->since >= kNoticeable) {
    const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(
        awaited->since_by_wall_clock.time_since_epoch());
    state.waiting = {awaited->subject.name, awaited->subject.files, since.count()};
  }
  if (failure_ && !scanning_) {
    state.kind = ModelState::Kind::kFailed;
    state.message = failure_->message;
  } else if (!scanned_ || scanning_ || !desynced_.empty()) {
    state.kind = scanned_ ? ModelState::Kind::kVerifying : ModelState::Kind::kScanning;
    state.message = desynced_.empty() ? "everything is looked at again" : desynced_;
    state.files_seen = progress_.files_seen;
    state.files_expected = progress_.files_expected;
  } else if (!delegated_.empty()) {
    state.kind = ModelState::Kind::kDelegated;
    state.message = delegated_;
  } else if (tree_->polled() > 0) {
    state.kind = ModelState::Kind::kPolling;
    state.polled = tree_->polled();
    // Where one program finds no watch, all together have as many as there may be.
    const uint64_t all = std::max<uint64_t>(state.directories, options_.watcher->limit_of_all());
    if (tree_->unwatched() > 0 && options_.watcher->why_nothing().empty()) {
      state.needed = all + tree_->unwatched();
    }
  } else {
    state.kind = ModelState::Kind::kWatching;
  }
  return state;
}

std::optional<StatusDelta> WorktreeModel::take_delta() {
  StatusDelta delta;
  delta.base_version = version_;
  delta.version = version_ + 1;
  for (const std::string& path : std::exchange(touched_rows_, {})) {
    if (auto changed = rows_.changed.find(path); changed != rows_.changed.end()) {
      delta.changed.push_back(changed->second);
    } else if (auto unmerged = rows_.unmerged.find(path); unmerged != rows_.unmerged.end()) {
      delta.unmerged.push_back(unmerged->second);
    } else {
      delta.removed.push_back(path);
    }
  }
  for (const auto& [path, was] : std::exchange(touched_untracked_, {})) {
    const bool is = untracked().contains(path);
    if (is && !was) delta.untracked.push_back(path);
    if (!is && was) delta.removed_untracked.push_back(path);
  }
  if (branch_ && branch_ != told_branch_) delta.branch = told_branch_ = branch_;
  const Operation operation = state_ ? state_->operation() : Operation::kNone;
  if (operation != told_operation_) delta.operation = told_operation_ = operation;
  if (ModelState now = state(); now != told_state_) delta.state = told_state_ = std::move(now);
  delta.ignore_rules_changed = std::exchange(ignore_rules_changed_, false);
  delta.content_changed = std::exchange(content_changed_, false);
  told_problems_.note_rounds(sweep_progress().rounds);
  const auto meet = [&](std::string problem) {
    if (auto told = told_problems_.meet(std::move(problem))) {
      delta.problems.push_back(*std::move(told));
    }
  };
  for (std::string& problem : tree_->take_problems()) meet(std::move(problem));
  if (options_.watcher) {
    if (std::string nothing = options_.watcher->why_nothing(); !nothing.empty()) meet(nothing);
  }
  delta.since = std::exchange(since_, {});
  const bool empty = delta.changed.empty() && delta.unmerged.empty() && delta.untracked.empty() &&
                     delta.removed.empty() && delta.removed_untracked.empty() && !delta.branch &&
                     !delta.operation && !delta.state && delta.problems.empty() &&
                     !delta.ignore_rules_changed && !delta.content_changed;
  if (empty) return std::nullopt;
  version_ = delta.version;
  return delta;
}

StatusDelta WorktreeModel::whole() {
  StatusDelta delta;
  delta.version = version_;
  for (const auto& [path, row] : rows_.changed) delta.changed.push_back(row);
  for (const auto& [path, row] : rows_.unmerged) delta.unmerged.push_back(row);
  delta.untracked.assign(untracked().begin(), untracked().end());
  delta.branch = told_branch_;
  delta.operation = told_operation_;
  delta.state = told_state_;
  delta.ignore_rules_changed = delta.content_changed = true;
  return delta;
}

}  // namespace resident
