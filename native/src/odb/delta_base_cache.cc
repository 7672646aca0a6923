#include "odb/delta_base_cache.h"

#include <iterator>
#include <utility>

namespace resident {

std::shared_ptr<const Object> DeltaBaseCache::find(Key key) {
  MutexLock lock(mutex_);
  auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->object;
}

void DeltaBaseCache::insert(Key key, std::shared_ptr<const Object> object) {
  const size_t size = object->content.size();
  if (size > limit_) return;
  MutexLock lock(mutex_);
  if (by_key_.contains(key)) return;
  while (bytes_ + size > limit_) {
    bytes_ -= entries_.back().object->content.size();
    by_key_.erase(entries_.back().key);
    entries_.pop_back();
  }
  entries_.push_front({key, std::move(object)});
  by_key_.emplace(key, entries_.begin());
  bytes_ += size;
}

void DeltaBaseCache::keep_only(const std::unordered_set<uint64_t>& packs) {
  MutexLock lock(mutex_);
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const auto next = std::next(entry);
    if (!packs.contains(entry->key.pack)) {
      bytes_ -= entry->object->content.size();
      by_key_.erase(entry->key);
      entries_.erase(entry);
    }
    entry = next;
  }
}

size_t DeltaBaseCache::bytes() {
  MutexLock lock(mutex_);
  return bytes_;
}

}  // namespace resident
