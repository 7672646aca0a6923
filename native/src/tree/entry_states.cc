#include "tree/entry_states.h"

#include <algorithm>

#include "status/examine.h"

namespace resident {

// Of an entry of which it is pending what it is: the state that it had, by its path, or none yet.
EntryState EntryStates::state_in(const Before& before, const Index& index, uint32_t position) {
  if (!before.index) return EntryState::clean();
  const auto known = before.index == &index ? std::optional(position)
                                            : before.index->find_path(index.path(position));
  const bool was_known = known && before.states[*known].is_known();
  return was_known ? before.states[*known] : EntryState::clean();
}

void EntryStates::record_changed(uint32_t position) {
  if (known_.states[position].is_clean()) {
    changed_.erase(position);
  } else {
    changed_.insert(position);
  }
}

void EntryStates::collect_changed() {
  changed_.clear();
  for (uint32_t i = 0; i < size(); ++i) {
    if (!known_.states[i].is_clean()) changed_.insert(changed_.end(), i);
  }
}

void EntryStates::take(const Index& index, uint32_t position, const Refreshed& refreshed) {
  if (refreshed.compared) record_compared(position, *refreshed.compared);
  if (refreshed.state.is_known()) {
    set(index, position, refreshed.state);
  } else if (before_) {
    known_.states[position] = state_in(*before_, index, position);
    record_changed(position);
  }
}

void EntryStates::set(const Index& index, uint32_t position, EntryState state) {
  if (content_.has_pending()) content_.forget_pending(index.path(position));
  if (known_.states[position] == state) return;
  known_.states[position] = state;
  touched_.insert(position);
  if (index.entries()[position].is_gitlink()) touched_submodules_.insert(position);
  record_changed(position);
}

void EntryStates::finish_scan(const Index& index, uint32_t first,
                              const std::vector<EntryState>& before) {
  for (uint32_t i = 0; i < before.size(); ++i) {
    const EntryState now = std::exchange(known_.states[first + i], before[i]);
    if (now.is_known()) set(index, first + i, now);
  }
}

void EntryStates::replace(std::vector<EntryState> found, const Index* old, const Index& index) {
  const std::vector<EntryState> before = std::exchange(known_.states, std::move(found));
  for (uint32_t i = 0; i < size(); ++i) {
    if (!known_.states[i].is_known()) known_.states[i] = state_in({old, before}, index, i);
  }
  known_.compared.clear();
  collect_changed();
  for (uint32_t i = 0; old == &index && i < size(); ++i) {
    if (!(known_.states[i] == before[i])) touched_.insert(i);
  }
}

std::vector<uint32_t> EntryStates::merge(const Index& index, std::span<const EntryState> found) {
  std::vector<uint32_t> changed;
  const bool has_pending = content_.has_pending();
  for (uint32_t i = 0; i < found.size(); ++i) {
    if (!found[i].is_known()) continue;
    const bool is_same = found[i] == known_.states[i];
    if (is_same && !has_pending) continue;
    if (!is_same) changed.push_back(i);
    set(index, i, found[i]);
  }
  return changed;
}

EntryStates::Known EntryStates::begin_rebinding(size_t count) {
  return std::exchange(known_, Known{std::vector<EntryState>(count), {}});
}

void EntryStates::copy_in(std::span<const EntryState> states, uint32_t position) {
  std::copy(states.begin(), states.end(), known_.states.begin() + position);
}

void EntryStates::finish_rebinding(const Index& old, const Known& before) {
  collect_changed();
  // Positions of the old index mean nothing any more.
  touched_.clear();
  touched_submodules_.clear();
  before_ = Before{&old, before.states};
}

void EntryStates::renumber(const EntryMoves& moves, const Index& index) {
  moves.apply(known_.states);
  for (const uint32_t i : moves.added()) known_.states[i] = missing_state(index.entries()[i]);
  for (auto& [position, look] : consume_compared()) {
    if (const auto now = moves.now(position)) known_.compared.emplace(*now, look);
  }
  const auto renumbered = [&moves](const std::set<uint32_t>& positions) {
    std::set<uint32_t> result;
    for (const uint32_t position : positions) {
      if (const auto now = moves.now(position)) result.insert(result.end(), *now);
    }
    return result;
  };
  changed_ = renumbered(changed_);
  touched_ = renumbered(touched_);
  touched_submodules_ = renumbered(touched_submodules_);
  for (const uint32_t i : moves.added()) record_changed(i);
}

// What git makes of them can depend on anything in the index.
void EntryStates::touch_submodules(const Index& index) {
  const auto gitlinks = index.gitlinks();
  touched_submodules_.insert(gitlinks.begin(), gitlinks.end());
}

}  // namespace resident
