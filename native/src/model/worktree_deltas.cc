// The part of WorktreeModel that makes deltas.
#include <algorithm>
#include <iterator>
#include <utility>

#include "model/worktree_model.h"

namespace resident {

namespace {

// Shorter waits are not reported.
constexpr std::chrono::seconds kNoticeable{1};

}  // namespace

std::optional<std::chrono::steady_clock::time_point> WorktreeModel::due() const {
  using Git = BackgroundGit;
  Git::DueTime due;
  if (is_delegated()) {
    due = delegate_.due();
  } else {
    due = config_question().due();
    if (!failure_ && state_->is_loaded() && !state_->awaits_git()) {
      due = Git::earlier(due, config_question().due(state_->config()));
      due = Git::earlier(due, submodules_.due());
    }
  }
  const auto longest = awaited();
  const ModelState* told = deltas_.told_state();
  if (!longest || (told && told->waiting)) return due;
  return Git::earlier(due, longest->since + kNoticeable);
}

std::optional<GitTasks::Awaited> WorktreeModel::awaited() const {
  std::optional<GitTasks::Awaited> own = git_.tasks().longest_awaited();
  std::optional<GitTasks::Awaited> below = submodules_.awaited_by_scans();
  return !own || (below && below->since < own->since) ? below : own;
}

ModelState WorktreeModel::state() const {
  ModelState state;
  state.directories = tree_->state().watches.count();
  state.sweep = sweep_state_;
  state.linked_beyond = tree_->state().links.beyond();
  const auto longest = awaited();
  if (longest && git_.now() - longest->since >= kNoticeable) {
    const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(
        longest->since_by_wall_clock.time_since_epoch());
    state.waiting = {longest->subject.name, longest->subject.files, since.count()};
  }
  if (failure_ && !scanning_) {
    state.kind = ModelState::Kind::kFailed;
    state.message = failure_->message;
  } else if (!scanned_ || scanning_ || !desynced_.empty()) {
    state.kind = scanned_ ? ModelState::Kind::kVerifying : ModelState::Kind::kScanning;
    state.message = desynced_.empty() ? "all files are being checked again" : desynced_;
    state.files_seen = progress_.files_seen;
    state.files_expected = progress_.files_expected;
  } else if (is_delegated()) {
    state.kind = ModelState::Kind::kDelegated;
    state.message = delegate_.reason();
  } else if (tree_->state().watches.polled() > 0) {
    state.kind = ModelState::Kind::kPolling;
    state.polled = tree_->state().watches.polled();
    if (const size_t missing = tree_->state().watches.unwatched(); missing > 0) {
      state.shortage = options_.watcher->shortage(state.directories, missing);
    }
  } else {
    state.kind = ModelState::Kind::kWatching;
  }
  return state;
}

const std::set<std::string>& WorktreeModel::untracked() const {
  return is_delegated() ? untracked_by_git_ : tree_->state().untracked.all();
}

DeltaMaker::Now WorktreeModel::now() const {
  const StatusRows::Lists& rows = rows_.lists();
  return {rows.changed,
          rows.unmerged,
          untracked(),
          branch_.get(),
          state_->operation().kind(),
          details_,
          state_->operation().step(),
          state()};
}

std::optional<StatusDelta> WorktreeModel::take_delta() {
  deltas_.mark_rows(rows_.consume_changed());
  std::vector<std::string> problems = tree_->consume_problems();
  std::move(problems_.begin(), problems_.end(), std::back_inserter(problems));
  problems_.clear();
  if (options_.watcher) {
    if (std::string nothing = options_.watcher->why_nothing(); !nothing.empty()) {
      problems.push_back(std::move(nothing));
    }
  }
  return deltas_.take(now(), std::move(problems), sweep_progress().rounds);
}

StatusDelta WorktreeModel::whole() {
  return deltas_.whole(now());
}

}  // namespace resident
