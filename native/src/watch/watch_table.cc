#include "watch/watch_table.h"

#include <iterator>
#include <limits>

namespace resident {

const WatchTable::Claim* WatchTable::find(WatchId watch) const {
  const auto page = pages_.find(page_of(watch));
  if (page == pages_.end()) return nullptr;
  const Claim& claim = page->second->claims[place_of(watch)];
  return claim.watcher ? &claim : nullptr;
}

void WatchTable::add(WatchId watch, WatcherNumber watcher, uint32_t mask) {
  Claim* first = find(watch);
  if (!first) {
    std::unique_ptr<Page>& page = pages_[page_of(watch)];
    if (!page) page = std::make_unique<Page>();
    ++page->used;
    page->claims[place_of(watch)] = {watcher, mask};
    return;
  }
  if (first->watcher == watcher) {
    first->mask |= mask;
    return;
  }
  others_[{watch, watcher}] |= mask;
  others_by_watcher_.emplace(watcher, watch);
}

WatchTable::Others::iterator WatchTable::next_other(WatchId watch) {
  const auto next = others_.lower_bound({watch, 0});
  return next != others_.end() && next->first.first == watch ? next : others_.end();
}

void WatchTable::erase_other(Others::iterator other) {
  const auto [watch, watcher] = other->first;
  others_by_watcher_.erase({watcher, watch});
  others_.erase(other);
}

bool WatchTable::remove(WatchId watch, WatcherNumber watcher) {
  Claim* first = find(watch);
  if (!first) return false;
  if (first->watcher != watcher) {
    const auto own = others_.find({watch, watcher});
    if (own != others_.end()) erase_other(own);
    return false;
  }
  if (const auto next = next_other(watch); next != others_.end()) {
    *first = {next->first.second, next->second};
    erase_other(next);
    return false;
  }
  clear(watch);
  return true;
}

void WatchTable::remove_all(WatchId watch) {
  for (auto other = next_other(watch); other != others_.end(); other = next_other(watch)) {
    erase_other(other);
  }
  if (find(watch)) clear(watch);
}

void WatchTable::clear() {
  pages_.clear();
  others_.clear();
  others_by_watcher_.clear();
}

void WatchTable::clear(WatchId watch) {
  const auto page = pages_.find(page_of(watch));
  page->second->claims[place_of(watch)] = {};
  if (--page->second->used == 0) pages_.erase(page);
}

std::vector<WatchId> WatchTable::remove_watcher(WatcherNumber watcher) {
  auto own = others_by_watcher_.lower_bound({watcher, std::numeric_limits<WatchId>::min()});
  while (own != others_by_watcher_.end() && own->first == watcher) {
    others_.erase({own->second, watcher});
    own = others_by_watcher_.erase(own);
  }
  std::vector<WatchId> unwanted;
  for (auto at = pages_.begin(); at != pages_.end();) {
    auto& [number, page] = *at;
    for (size_t i = 0; i < page->claims.size(); ++i) {
      if (page->claims[i].watcher != watcher) continue;
      const WatchId watch = number * kPageSize + static_cast<WatchId>(i);
      if (const auto next = next_other(watch); next != others_.end()) {
        page->claims[i] = {next->first.second, next->second};
        erase_other(next);
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
