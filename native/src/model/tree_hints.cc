#include "model/tree_hints.h"

namespace resident {

void TreeHints::drop(DirectoryNode& node) {
  wanted_.erase(&node);
  told_.erase(&node);
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
  told_.clear();
}

void TreeHints::ask(const Open& open) {
  for (int asked = 0; asked < kMostAtOnce && !wanted_.empty(); ++asked) {
    DirectoryNode* const node = *wanted_.begin();
    if (Result<Directory> directory = open(*node); directory.ok()) {
      const WatchId id = watcher_->add_hint(std::move(directory).value());
      // Later there may be one to be had.
      if (id == kNoWatch) return;
      nodes_.emplace(id, node);
      hints_.emplace(node, id);
    }
    wanted_.erase(node);
  }
}

bool TreeHints::note(WatchId watch) {
  const auto known = nodes_.find(watch);
  if (known == nodes_.end()) return false;
  told_.insert(known->second);
  return true;
}

}  // namespace resident
