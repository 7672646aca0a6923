// RecentPlaces: the directories in which something happened last, a bounded number of them.
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
  // So many of what somebody else names leave room for what was found.
  static constexpr size_t kMaxNamed = 32;

  // By path, "" or ending in '/'.
  void note(std::string path) {
    if (const auto known = std::find(paths_.begin(), paths_.end(), path); known != paths_.end()) {
      paths_.erase(known);
    }
    paths_.push_front(std::move(path));
    if (paths_.size() > kMax) paths_.pop_back();
  }
  // The last first.
  const std::deque<std::string>& paths() const { return paths_; }

 private:
  std::deque<std::string> paths_;
};

}  // namespace resident
