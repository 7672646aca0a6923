// MarkedDirectories: the directories with a fanotify mark, by the key in fanotify's events and by
// our own number (watch/watch_ids.h).
//
// The kernel removes a mark only through an open directory. The last path of each directory is kept
// for this, so that an entry takes about 200 bytes. An unwanted directory that is not at its path
// is "left". Its mark remains until the directory is deleted, or all marks are removed.
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

  // Returns the directory's number; a known directory keeps its number. kNoWatch: no numbers are
  // left.
  WatchId enter(std::string_view key, std::string_view path);
  // kNoWatch: the directory is unknown.
  WatchId find(std::string_view key) const;

  // Null: the id is unknown.
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
