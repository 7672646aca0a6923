// TreeHints: the hints for directories of a tree (Watcher::add_hints), and the directories with a
// hint since the last poll.
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

  // `watcher` outlives this object. Null: no hints.
  explicit TreeHints(Watcher* watcher) : watcher_(watcher) {}

  // The next ask() requests a hint for `node`.
  void want(DirectoryNode& node) { wanted_.insert(&node); }
  bool wants_any() const { return !wanted_.empty(); }
  // Removes the hint for `node`, or its request.
  void drop(DirectoryNode& node);
  void drop_all();

  // Requests hints for some wanted directories. `path_of()` returns the absolute path, or nullopt
  // for a directory that must not have a hint.
  using PathOf = std::function<std::optional<std::string>(const DirectoryNode&)>;
  void ask(const PathOf& path_of);

  // Records a change if `watch` is a hint. False: it is not a hint of this tree.
  bool record_change(WatchId watch);
  const Nodes& changed() const { return changed_; }
  void clear_changed() { changed_.clear(); }

 private:
  // Limit of hints for each poll, because requests cost time.
  static constexpr size_t kMaxAtOnce = 4096;

  Watcher* const watcher_;
  Nodes wanted_;
  std::unordered_map<WatchId, DirectoryNode*> nodes_;
  std::unordered_map<const DirectoryNode*, WatchId> hints_;
  Nodes changed_;
};

}  // namespace resident
