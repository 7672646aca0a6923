// UntrackedPaths: the untracked paths of a tree, one by one, and which of them came or went since
// that was last taken.
//
// Threads: the tree's owner.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

namespace resident {

class UntrackedPaths {
 public:
  // Nested repositories end in '/'.
  const std::set<std::string>& all() const { return all_; }
  void set(const std::string& path, bool listed) {
    const bool differs = listed ? all_.insert(path).second : all_.erase(path) > 0;
    if (differs) touched_.emplace(path, !listed);
  }
  void replace(std::set<std::string> now) {
    for (const std::string& path : all_) {
      if (!now.contains(path)) touched_.emplace(path, true);
    }
    for (const std::string& path : now) {
      if (!all_.contains(path)) touched_.emplace(path, false);
    }
    all_ = std::move(now);
  }
  // Path -> was it listed before.
  std::map<std::string, bool> consume_touched() { return std::exchange(touched_, {}); }
  bool has_touched() const { return !touched_.empty(); }

 private:
  std::set<std::string> all_;
  std::map<std::string, bool> touched_;
};

}  // namespace resident
