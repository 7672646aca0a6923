#include "cli/watch_state.h"

#include <utility>

namespace resident {

namespace {

std::string letter_of(Change change) {
  return change == Change::kNone ? std::string() : std::string(1, static_cast<char>(change));
}

}  // namespace

void WatchState::set_row(WatchGroup which, const std::string& path, std::string letters,
                         std::string from) {
  if (letters.empty()) {
    group(which).erase(path);
  } else {
    group(which).insert_or_assign(path, WatchRow{std::move(letters), std::move(from)});
  }
}

void WatchState::note(std::string letters, const std::string& path) {
  if (!step_.letters.empty()) {
    ++step_.others;
    return;
  }
  step_.letters = std::move(letters);
  step_.path = path;
}

void WatchState::apply_rows(const StatusDelta& delta) {
  for (const ChangedEntry& entry : delta.changed) {
    // The worktree's rename wins where both sides have one.
    const bool in_worktree =
        entry.worktree == Change::kRenamed || entry.worktree == Change::kCopied;
    group(WatchGroup::kConflicts).erase(entry.path);
    set_row(WatchGroup::kStaged, entry.path, letter_of(entry.index), in_worktree ? "" : entry.from);
    set_row(WatchGroup::kChanged, entry.path, letter_of(entry.worktree),
            in_worktree ? entry.from : "");
    note(letter_of(entry.index) + letter_of(entry.worktree), entry.path);
  }
  for (const UnmergedEntry& entry : delta.unmerged) {
    group(WatchGroup::kStaged).erase(entry.path);
    group(WatchGroup::kChanged).erase(entry.path);
    set_row(WatchGroup::kConflicts, entry.path, std::string(entry.letters()), "");
    note(std::string(entry.letters()), entry.path);
  }
  for (const std::string& path : delta.untracked) {
    set_row(WatchGroup::kUntracked, path, "?", "");
    note("?", path);
  }
  for (const std::string& path : delta.removed) {
    for (const WatchGroup which :
         {WatchGroup::kConflicts, WatchGroup::kStaged, WatchGroup::kChanged}) {
      group(which).erase(path);
    }
    note("-", path);
  }
  for (const std::string& path : delta.removed_untracked) {
    group(WatchGroup::kUntracked).erase(path);
    note("-", path);
  }
}

void WatchState::apply(const DeltaChunk& chunk, std::chrono::steady_clock::time_point now,
                       const std::string& time) {
  const StatusDelta& delta = chunk.delta;
  if (is_whole_) {
    step_ = {};
    tells_what_is_ = state_.kind == ModelState::Kind::kScanning;
  }
  if (delta.base_version == 0) {
    tells_what_is_ = true;
    for (Rows& rows : groups_) rows.clear();
  }
  apply_rows(delta);
  if (delta.branch) branch_ = delta.branch;
  if (delta.operation) operation_ = *delta.operation;
  if (delta.operation_step) operation_step_ = *delta.operation_step;
  if (delta.state) state_ = *delta.state;
  if (!delta.problems.empty()) problem_ = delta.problems.back();
  is_whole_ = !chunk.more;
  if (!is_whole_ || tells_what_is_) return;
  if (step_.letters.empty() && !delta.branch && !delta.operation && !delta.operation_step) return;
  step_.time = time;
  if (delta.since != std::chrono::steady_clock::time_point{}) step_.latency = now - delta.since;
  changes_.push_front(std::exchange(step_, {}));
  if (changes_.size() > kChanges) changes_.pop_back();
}

void WatchState::gone(const std::string& message) {
  state_ = {};
  state_.kind = ModelState::Kind::kFailed;
  state_.message = message;
  is_whole_ = true;
}

}  // namespace resident
