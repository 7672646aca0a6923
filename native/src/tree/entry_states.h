// EntryStates: how the worktree stands to each entry of the index, and what was compared by content
// to tell.
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
  // What is kept, in one piece.
  struct Known {
    std::vector<EntryState> states;
    ContentCache compared;
  };

  explicit EntryStates(ContentComparer& content) : content_(content) {}

  std::span<const EntryState> all() const { return known_.states; }
  EntryState operator[](uint32_t position) const { return known_.states[position]; }
  size_t size() const { return known_.states.size(); }
  const std::set<uint32_t>& changed() const { return changed_; }

  // By content, and so found to be as they are.
  const ContentCache& compared() const { return known_.compared; }
  void record_compared(uint32_t position, const ComparedContent& look) {
    known_.compared.insert_or_assign(position, look);
  }
  void forget_compared(uint32_t position) { known_.compared.erase(position); }
  ContentCache consume_compared() { return std::exchange(known_.compared, {}); }

  // What was found of one entry; a state that is not known is no finding.
  void take(const Index& index, uint32_t position, const Refreshed& refreshed);
  void set(const Index& index, uint32_t position, EntryState state);
  // For a scan of part of the worktree, which writes here what it finds: what stood in the range
  // before, which finish_scan() needs.
  std::vector<EntryState>& begin_scan() { return known_.states; }
  std::vector<EntryState> copy(uint32_t first, uint32_t last) const {
    return {known_.states.begin() + first, known_.states.begin() + last};
  }
  void finish_scan(const Index& index, uint32_t first, const std::vector<EntryState>& before);
  // What a scan of everything found. `old`: the index before it; null: there was none.
  void replace(std::vector<EntryState> found, const Index* old, const Index& index);
  // What is known where a rescan found something; the positions where that is another state.
  std::vector<uint32_t> merge(const Index& index, std::span<const EntryState> found);

  // Takes over another index: what was known goes, and each entry is put() again. Until finish(),
  // what is pending keeps the state that it had, by its path.
  Known begin_rebinding(size_t count);
  void put(uint32_t position, EntryState state) { known_.states[position] = state; }
  void copy_in(std::span<const EntryState> states, uint32_t position);
  // All are put. What is looked at from now on is compared with `before`.
  void finish_rebinding(const Index& old, const Known& before);
  void end_looks() { before_.reset(); }
  // The same index with other positions.
  void renumber(const EntryMoves& moves, const Index& index);

  // Positions whose state is another one, or whose content may be.
  void touch(uint32_t position) { touched_.insert(position); }
  bool has_touched() const { return !touched_.empty(); }
  std::set<uint32_t> consume_touched() { return std::exchange(touched_, {}); }
  // Positions of gitlinks below which something happened.
  void touch_submodule(uint32_t position) { touched_submodules_.insert(position); }
  void touch_submodules(const Index& index);
  bool has_touched_submodules() const { return !touched_submodules_.empty(); }
  std::set<uint32_t> consume_touched_submodules() { return std::exchange(touched_submodules_, {}); }

 private:
  struct Before {
    const Index* index;  // null: nothing was known
    std::span<const EntryState> states;
  };
  static EntryState state_in(const Before& before, const Index& index, uint32_t position);
  void record_changed(uint32_t position);
  void collect_changed();

  ContentComparer& content_;
  Known known_;
  std::set<uint32_t> changed_;
  std::optional<Before> before_;  // while looks are taken for a new index
  std::set<uint32_t> touched_;
  std::set<uint32_t> touched_submodules_;
};

}  // namespace resident
