// WatchTable: which watchers of a queue want which events of which watch.
//
// Watches are numbered consecutively: upwards by inotify, and downwards by us for fanotify. A
// worktree has a watch for each directory, nearly always with one watcher. Pages store these
// watches with 8 bytes each. Directories common to all worktrees (the user's config, parents of the
// worktrees) have a watcher for each worktree. No operation on one watcher visits the others.
//
// Threads: one at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "watch/watcher.h"

namespace resident {

class WatchTable {
 public:
  using WatcherNumber = uint32_t;  // from 1

  // Adds `mask` to the events that the watcher wants.
  void add(WatchId watch, WatcherNumber watcher, uint32_t mask);
  // True: no watcher wants the watch now.
  bool remove(WatchId watch, WatcherNumber watcher);
  void remove_all(WatchId watch);
  // Ends all interests of the watcher. Returns the watches that no watcher wants now.
  std::vector<WatchId> remove_watcher(WatcherNumber watcher);

  // Calls `visit(watcher, mask)`.
  template <typename Visit>
  void for_each(WatchId watch, Visit&& visit) const {
    const Claim* first = find(watch);
    if (!first) return;
    visit(first->watcher, first->mask);
    for (auto at = others_.lower_bound({watch, 0}); at != others_.end(); ++at) {
      const auto& [of, watcher] = at->first;
      if (of != watch) break;
      visit(watcher, at->second);
    }
  }

  bool is_wanted(WatchId watch) const { return find(watch) != nullptr; }
  bool empty() const { return pages_.empty(); }
  void clear();

 private:
  static constexpr int kPageBits = 9;
  static constexpr WatchId kPageSize = 1 << kPageBits;
  static WatchId page_of(WatchId watch) { return watch >> kPageBits; }
  static size_t place_of(WatchId watch) { return static_cast<size_t>(watch & (kPageSize - 1)); }
  struct Claim {
    WatcherNumber watcher = 0;  // 0: none
    uint32_t mask = 0;
  };
  struct Page {
    size_t used = 0;
    std::array<Claim, kPageSize> claims{};
  };

  const Claim* find(WatchId watch) const;
  Claim* find(WatchId watch) { return const_cast<Claim*>(std::as_const(*this).find(watch)); }
  void clear(WatchId watch);
  using Others = std::map<std::pair<WatchId, WatcherNumber>, uint32_t>;
  // Returns an entry of the watch, or the end.
  Others::iterator next_other(WatchId watch);
  void erase_other(Others::iterator other);

  std::unordered_map<WatchId, std::unique_ptr<Page>> pages_;  // by page_of()
  // Masks of watches with several watchers. With the set, remove_watcher() finds the watches of a
  // watcher.
  Others others_;
  std::set<std::pair<WatcherNumber, WatchId>> others_by_watcher_;
};

}  // namespace resident
