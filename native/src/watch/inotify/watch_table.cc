#include "watch/inotify/watch_table.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace resident {

const WatchTable::Claim* WatchTable::find(WatchId watch) const {
  const auto page = pages_.find(watch / kPageSize);
  if (page == pages_.end()) return nullptr;
  const Claim& claim = page->second->claims[static_cast<size_t>(watch % kPageSize)];
  return claim.watcher ? &claim : nullptr;
}

void WatchTable::add(WatchId watch, WatcherNumber watcher, uint32_t mask) {
  Claim* first = find(watch);
  if (!first) {
    std::unique_ptr<Page>& page = pages_[watch / kPageSize];
    if (!page) page = std::make_unique<Page>();
    ++page->used;
    page->claims[static_cast<size_t>(watch % kPageSize)] = {watcher, mask};
    return;
  }
  if (first->watcher == watcher) {
    first->mask |= mask;
    return;
  }
  const auto [begin, end] = others_.equal_range(watch);
  const auto own = std::find_if(
      begin, end, [watcher](const auto& other) { return other.second.watcher == watcher; });
  if (own != end) {
    own->second.mask |= mask;
  } else {
    others_.emplace(watch, Claim{watcher, mask});
  }
}

bool WatchTable::remove(WatchId watch, WatcherNumber watcher) {
  Claim* first = find(watch);
  if (!first) return false;
  const auto [begin, end] = others_.equal_range(watch);
  if (first->watcher != watcher) {
    const auto own = std::find_if(
        begin, end, [watcher](const auto& other) { return other.second.watcher == watcher; });
    if (own != end) others_.erase(own);
    return false;
  }
  if (begin != end) {
    *first = begin->second;
    others_.erase(begin);
    return false;
  }
  clear(watch);
  return true;
}

void WatchTable::remove_all(WatchId watch) {
  others_.erase(watch);
  if (find(watch)) clear(watch);
}

void WatchTable::clear(WatchId watch) {
  const auto page = pages_.find(watch / kPageSize);
  page->second->claims[static_cast<size_t>(watch % kPageSize)] = {};
  if (--page->second->used == 0) pages_.erase(page);
}

std::vector<WatchId> WatchTable::remove_watcher(WatcherNumber watcher) {
  std::erase_if(others_, [&](const auto& other) { return other.second.watcher == watcher; });
  std::vector<WatchId> unwanted;
  for (auto at = pages_.begin(); at != pages_.end();) {
    auto& [number, page] = *at;
    for (size_t i = 0; i < page->claims.size(); ++i) {
      if (page->claims[i].watcher != watcher) continue;
      const WatchId watch = number * kPageSize + static_cast<WatchId>(i);
      const auto other = others_.find(watch);
      if (other != others_.end()) {
        page->claims[i] = other->second;
        others_.erase(other);
        continue;
      }
      page->claims[i] = {};
      --page->used;
      unwanted.push_back(watch);
    }
    at = page->used == 0 ? pages_.erase(at) : std::next(at);
  }
  return unwanted;
}

}  // namespace resident
