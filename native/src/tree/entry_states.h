// EntryStates: the worktree state of each index entry, and the cached comparisons by content.
//
// Invariant: changed() are exactly the positions whose state is not clean.
//
// Threads: the tree's owner.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "index/index.h"
#include "status/entry_state.h"
#include "status/refresh.h"

namespace resident {

class EntryStates {
 public:
  // The kept data.
  struct Known {
    std::vector<EntryState> states;
    ContentCache compared;
  };

  explicit EntryStates(ContentComparer& content) : content_(content) {}

  std::span<const EntryState> all() const { return known_.states; }
  EntryState operator[](uint32_t position) const { return known_.states[position]; }
  size_t size() const { return known_.states.size(); }
  const std::set<uint32_t>& changed() const { return changed_; }

  // Entries whose state comes from a comparison by content.
  const ContentCache& compared() const { return known_.compared; }
  void record_compared(uint32_t position, const ComparedContent& look) {
    known_.compared.insert_or_assign(position, look);
  }
  void forget_compared(uint32_t position) { known_.compared.erase(position); }
  ContentCache consume_compared() { return std::exchange(known_.compared, {}); }

  // Stores the result for one entry. An unknown state keeps the previous state.
  void take(const Index& index, uint32_t position, const Refreshed& refreshed);
  void set(const Index& index, uint32_t position, EntryState state);
  // For a scan of a part of the worktree. The scan writes its results into begin_scan(). The caller
  // first copies the old states of the range, for finish_scan().
  std::vector<EntryState>& begin_scan() { return known_.states; }
  std::vector<EntryState> copy(uint32_t first, uint32_t last) const {
    return {known_.states.begin() + first, known_.states.begin() + last};
  }
  void finish_scan(const Index& index, uint32_t first, const std::vector<EntryState>& before);
  // Stores the result of a full scan. `old`: the previous index; null: none.
  void replace(std::vector<EntryState> found, const Index* old, const Index& index);
  // Stores all known states of `found`, the result of a rescan. Returns the positions whose state
  // changed.
  std::vector<uint32_t> merge(const Index& index, std::span<const EntryState> found);

  // Begins the change to another index. Returns and clears the known data; the caller then calls
  // put() or copy_in() for each entry. Until end_looks(), a pending entry keeps its previous state,
  // found by its path.
  Known begin_rebinding(size_t count);
  void put(uint32_t position, EntryState state) { known_.states[position] = state; }
  void copy_in(std::span<const EntryState> states, uint32_t position);
  // Call it after all states are put. Later results are compared with `before`.
  void finish_rebinding(const Index& old, const Known& before);
  void end_looks() { before_.reset(); }
  // The same index with new positions.
  void renumber(const EntryMoves& moves, const Index& index);

  // Positions whose state or content may have changed.
  void touch(uint32_t position) { touched_.insert(position); }
  bool has_touched() const { return !touched_.empty(); }
  std::set<uint32_t> consume_touched() { return std::exchange(touched_, {}); }
  // Positions of gitlinks with an event below them.
  void touch_submodule(uint32_t position) { touched_submodules_.insert(position); }
  void touch_submodules(const Index& index);
  bool has_touched_submodules() const { return !touched_submodules_.empty(); }
  std::set<uint32_t> consume_touched_submodules() { return std::exchange(touched_submodules_, {}); }

 private:
  struct Before {
    const Index* index;  // null: no previous index
    std::span<const EntryState> states;
  };
  static EntryState state_in(const Before& before, const Index& index, uint32_t position);
  void record_changed(uint32_t position);
  void collect_changed();

  ContentComparer& content_;
  Known known_;
  std::set<uint32_t> changed_;
  std::optional<Before> before_;  // set while entries are rechecked for a new index
  std::set<uint32_t> touched_;
  std::set<uint32_t> touched_submodules_;
};

}  // namespace resident
