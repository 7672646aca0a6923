// DeltaBaseCache: objects that pack entries were built from, kept because the next entry read is
// likely to be built from the same ones. Least recently used objects go first once the byte limit
// is reached.
//
// Threads: all members may be called from any thread.
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
  // A place in a pack. `pack` is a number that no other pack of this process has or had.
  struct Key {
    uint64_t pack;
    uint64_t offset;
    friend bool operator==(const Key&, const Key&) = default;
  };

  explicit DeltaBaseCache(size_t limit_bytes) : limit_(limit_bytes) {}

  // Null where it is not cached.
  std::shared_ptr<const Object> find(Key key);
  // Objects larger than the whole limit are not kept.
  void insert(Key key, std::shared_ptr<const Object> object);
  // What comes from any other pack is let go of.
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
