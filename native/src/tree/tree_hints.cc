#include "tree/tree_hints.h"

#include <utility>
#include <vector>

namespace resident {

void TreeHints::drop(DirectoryNode& node) {
  wanted_.erase(&node);
  changed_.erase(&node);
  const auto hint = hints_.extract(&node);
  if (!hint) return;
  nodes_.erase(hint.mapped());
  watcher_->remove(hint.mapped());
}

void TreeHints::drop_all() {
  for (const auto& [id, node] : nodes_) watcher_->remove(id);
  wanted_.clear();
  nodes_.clear();
  hints_.clear();
  changed_.clear();
}

void TreeHints::ask(const PathOf& path_of) {
  std::vector<DirectoryNode*> nodes;
  std::vector<std::string> paths;
  for (auto next = wanted_.begin(); next != wanted_.end() && nodes.size() < kMaxAtOnce;) {
    std::optional<std::string> path = path_of(**next);
    if (!path) {
      next = wanted_.erase(next);
      continue;
    }
    nodes.push_back(*next++);
    paths.push_back(*std::move(path));
  }
  if (nodes.empty()) return;
  // Fewer ids than paths: more hints may be available later.
  const std::vector<WatchId> ids = watcher_->add_hints(paths);
  for (size_t i = 0; i < ids.size(); ++i) {
    wanted_.erase(nodes[i]);
    if (ids[i] == kNoWatch) continue;
    nodes_.emplace(ids[i], nodes[i]);
    hints_.emplace(nodes[i], ids[i]);
  }
}

bool TreeHints::record_change(WatchId watch) {
  const auto known = nodes_.find(watch);
  if (known == nodes_.end()) return false;
  changed_.insert(known->second);
  return true;
}

}  // namespace resident
