// DeltaBaseCache: a cache of objects that served as delta bases. The next entry is likely to use
// the same bases. At the byte limit the least recently used objects are removed first.
//
// Threads: any thread may call all members.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "base/thread_annotations.h"
#include "odb/object.h"

namespace resident {

class DeltaBaseCache {
 public:
  // A place in a pack. `pack` is unique among all packs that this process has ever opened.
  struct Key {
    uint64_t pack;
    uint64_t offset;
    friend bool operator==(const Key&, const Key&) = default;
  };

  explicit DeltaBaseCache(size_t limit_bytes) : limit_(limit_bytes) {}

  // Null: not cached.
  std::shared_ptr<const Object> find(Key key);
  // Does not cache an object that is larger than the whole limit.
  void insert(Key key, std::shared_ptr<const Object> object);
  // Removes the objects of all other packs.
  void keep_only(const std::unordered_set<uint64_t>& packs);

  size_t bytes();

 private:
  struct Entry {
    Key key;
    std::shared_ptr<const Object> object;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const noexcept {
      return std::hash<uint64_t>{}(key.offset * 0x9e3779b97f4a7c15u ^ key.pack);
    }
  };

  const size_t limit_;

  Mutex mutex_;
  std::list<Entry> entries_ GUARDED_BY(mutex_);  // most recently used first
  std::unordered_map<Key, std::list<Entry>::iterator, KeyHash> by_key_ GUARDED_BY(mutex_);
  size_t bytes_ GUARDED_BY(mutex_) = 0;
};

}  // namespace resident
