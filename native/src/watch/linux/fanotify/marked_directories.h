// MarkedDirectories: the directories that carry a mark of fanotify's, by the key that its events
// tell and by the number that we give them (watch/watch_ids.h).
//
// The kernel takes a mark back by an open directory alone. So the path that each had when it was
// last added is kept: some 200 bytes are a directory's in all. One that nobody wants any more and
// that is not found by it is left: its mark is there until it is deleted, or all are taken back.
//
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "watch/batch.h"

namespace resident {

class MarkedDirectories {
 public:
  struct Marked {
    WatchId id;
    bool is_left;
    size_t key_size;
    std::string key_and_path;

    std::string_view key() const { return std::string_view(key_and_path).substr(0, key_size); }
    const char* path() const { return key_and_path.c_str() + key_size; }
  };

  // The directory's number, the one that it has if it is known. kNoWatch: there are no more.
  WatchId enter(std::string_view key, std::string_view path);
  // kNoWatch: it is not known.
  WatchId find(std::string_view key) const;

  // Null where there is none.
  const Marked* find(WatchId id) const;
  void leave(WatchId id);
  void erase(WatchId id);
  void clear();

  size_t size() const { return by_key_.size(); }
  size_t left() const { return left_; }

 private:
  struct ByKey {
    using is_transparent = void;
    static std::string_view key(std::string_view key) { return key; }
    static std::string_view key(const std::unique_ptr<Marked>& marked) { return marked->key(); }
    template <typename T>
    size_t operator()(const T& value) const {
      return std::hash<std::string_view>()(key(value));
    }
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      return key(a) == key(b);
    }
  };

  std::unordered_set<std::unique_ptr<Marked>, ByKey, ByKey> by_key_;
  std::unordered_map<WatchId, Marked*> by_id_;
  size_t left_ = 0;
  WatchId last_ = kNoWatch;
};

}  // namespace resident
