// WatchTable: which watchers of an inotify instance want which events of which watch descriptor.
//
// The kernel gives descriptors in ascending order, and a worktree takes one per directory, nearly
// always for one watcher: that costs 8 bytes each, in pages.
//
// Threads: one at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "watch/watcher.h"

namespace resident {

class WatchTable {
 public:
  using WatcherNumber = uint32_t;  // from 1

  // Adds `mask` to what the watcher wants.
  void add(WatchId watch, WatcherNumber watcher, uint32_t mask);
  // True: nobody wants anything of it any more.
  bool remove(WatchId watch, WatcherNumber watcher);
  void remove_all(WatchId watch);
  // Ends everything that the watcher wants. Those of which nobody wants anything any more.
  std::vector<WatchId> remove_watcher(WatcherNumber watcher);

  // Calls `visit(watcher, mask)`.
  template <typename Visit>
  void for_each(WatchId watch, Visit&& visit) const {
    const Claim* first = find(watch);
    if (!first) return;
    visit(first->watcher, first->mask);
    const auto [begin, end] = others_.equal_range(watch);
    for (auto at = begin; at != end; ++at) visit(at->second.watcher, at->second.mask);
  }

  bool is_wanted(WatchId watch) const { return find(watch) != nullptr; }
  bool empty() const { return pages_.empty(); }

 private:
  static constexpr WatchId kPageSize = 512;
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

  std::unordered_map<WatchId, std::unique_ptr<Page>> pages_;  // by watch / kPageSize
  std::multimap<WatchId, Claim> others_;  // where there is more than one watcher
};

}  // namespace resident
