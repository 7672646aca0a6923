// UntrackedPaths: all untracked paths of a tree, and those that were added or removed since the
// last consume_touched().
//
// Threads: the tree's owner.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "status/directory_node.h"

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
  // Path -> whether it was listed before.
  std::map<std::string, bool> consume_touched() { return std::exchange(touched_, {}); }
  bool has_touched() const { return !touched_.empty(); }

 private:
  std::set<std::string> all_;
  std::map<std::string, bool> touched_;
};

// True for a nested repository at the path of an index entry. git does not list it by name.
inline bool stands_for_entry(const Index& index, const DirectoryNode& node) {
  return node.nested_repository() && node.parent && has_entry(index, *node.parent, node.name);
}

// Calls `visit` for each untracked path directly from `node`.
template <typename Visit>
void for_each_untracked(const DirectoryNode& node, Visit&& visit) {
  if (node.submodule) return;
  if (node.nested_repository()) return visit(node.path());
  std::string path;
  for (const Other& other : node.others()) {
    if (other.kind != OtherKind::kFile) continue;
    if (path.empty()) path = node.path();
    visit(path + other.name);
  }
}

}  // namespace resident
