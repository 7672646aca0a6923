// RecentPlaces: the directories with the latest changes; a bounded number.
//
// Threads: one owner.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <string>
#include <utility>

namespace resident {

class RecentPlaces {
 public:
  static constexpr size_t kMax = 64;
  // At most this many come from callers; the rest of the list is for found changes.
  static constexpr size_t kMaxNamed = 32;

  // `path` is a directory: "" or ending in '/'.
  void add(std::string path) {
    if (const auto known = std::find(paths_.begin(), paths_.end(), path); known != paths_.end()) {
      paths_.erase(known);
    }
    paths_.push_front(std::move(path));
    if (paths_.size() > kMax) paths_.pop_back();
  }
  // The latest first.
  const std::deque<std::string>& paths() const { return paths_; }

 private:
  std::deque<std::string> paths_;
};

}  // namespace resident
