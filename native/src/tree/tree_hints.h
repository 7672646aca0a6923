// TreeHints: the hints that a tree has of its directories (Watcher::add_hints), and those of them
// in which something happened since they were last looked at.
//
// Threads: the tree's owner.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "status/directory_node.h"
#include "watch/watcher.h"

namespace resident {

class TreeHints {
 public:
  using Nodes = std::unordered_set<DirectoryNode*>;

  // `watcher` outlives this; null: there are no hints.
  explicit TreeHints(Watcher* watcher) : watcher_(watcher) {}

  // Of that directory from the next ask() on.
  void want(DirectoryNode& node) { wanted_.insert(&node); }
  bool wants_any() const { return !wanted_.empty(); }
  // And of this one no more.
  void drop(DirectoryNode& node);
  void drop_all();

  // Asks for some of those that are wanted. `path_of()`: absolute; nullopt where there is to be no
  // hint of it.
  using PathOf = std::function<std::optional<std::string>(const DirectoryNode&)>;
  void ask(const PathOf& path_of);

  // Something happened where this watch says so. False: it is none of these hints.
  bool note(WatchId watch);
  const Nodes& told() const { return told_; }
  void forget_told() { told_.clear(); }

 private:
  // What a round of looks may spend on them beside the looks.
  static constexpr size_t kMaxAtOnce = 4096;

  Watcher* const watcher_;
  Nodes wanted_;
  std::unordered_map<WatchId, DirectoryNode*> nodes_;
  std::unordered_map<const DirectoryNode*, WatchId> hints_;
  Nodes told_;
};

}  // namespace resident
