// TreeWatches: the watches of a tree's directories, and the directories without a complete watch.
//
// With a recursive watcher, the root's watch covers the nodes.
//
// Invariants: find() knows exactly the watches of living nodes. Each node that was read either has
// a watch that reports everything, or is polled.
//
// Threads: the tree's owner.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "status/directory_node.h"
#include "tree/tree_hints.h"
#include "watch/watcher.h"

namespace resident {

class TreeWatches {
 public:
  struct NodeHash {
    using is_transparent = void;
    size_t operator()(const DirectoryNode* node) const { return std::hash<const void*>()(node); }
  };
  using Nodes = std::unordered_set<DirectoryNode*, NodeHash, std::equal_to<>>;

  // `watcher` null: nothing is watched. `root` is the absolute path of the worktree. All arguments
  // outlive this object.
  TreeWatches(FileSystem& fs, const std::string& root, Watcher* watcher)
      : fs_(fs), root_path_(root), watcher_(watcher), hints_(watcher) {}

  // The open root. Other directories are opened from it.
  void set_root(Directory root) { root_ = std::move(root); }
  const Directory& root() const { return root_; }
  Result<Directory> open(const DirectoryNode& node) const;

  // --- Watches

  // Null if no living node has this watch.
  DirectoryNode* find(WatchId watch) const;
  bool is_watched(const DirectoryNode& node) const {
    return find(node.watch) == &node || covered_.contains(&node);
  }
  size_t count() const { return by_watch_.size() + covered_.size(); }
  // `watch` now watches the directory of `node`.
  void take(WatchId watch, DirectoryNode& node);
  // Watches the node's directory again. False: it got another watch than before, so events may have
  // been missed.
  bool renew(DirectoryNode& node, const Directory& directory);
  // Removes all data of a node that will be deleted.
  void drop(DirectoryNode& node);
  // Removes a watch that no node has.
  void remove_stray(WatchId watch) const;
  // For a new tree: begin_replacing() clears the watches. end_replacing() removes old watches that
  // the new tree has not taken.
  struct Replaced;
  Replaced begin_replacing();
  void end_replacing(const Replaced& replaced);

  // --- Directories that need polling

  void mark_unwatched(const std::vector<DirectoryNode*>& nodes) {
    for (DirectoryNode* node : nodes) mark_unwatched(*node);
  }
  // Numbers of directories that need polling, and of those without any watch.
  size_t polled() const { return unwatched_.size() + unwatchable_.size(); }
  size_t unwatched() const { return unwatched_.size(); }
  bool is_polled(const DirectoryNode& node) const {
    return unwatched_.contains(&node) || unwatchable_.contains(&node);
  }
  // Begins a poll. First, directories without a watch get one if the limit allows it. At the limit,
  // `prioritized` directories get watches of others. The remaining directories get hints.
  void begin_polling(const Nodes& prioritized);
  // Directories that got or lost a watch since the last complete poll. Each poll includes them,
  // because changes before the new watch or after the lost one had no event.
  const Nodes& changed() const { return changed_; }
  // Directories with a hint since then. Each poll includes them too.
  const TreeHints::Nodes& hinted() const { return hints_.changed(); }
  // Directories for a poll of everything.
  Nodes all_to_poll() const;
  void end_polling() {
    changed_.clear();
    hints_.clear_changed();
  }
  // True if `watch` is a hint and not a watch. Its directory is then in hinted().
  bool record_hint(WatchId watch) { return hints_.record_change(watch); }

  // --- Directories with a .git, without the root

  // Watches the node's .git directory. A change in it then wakes the owner, which rechecks the
  // node. If .git is a file, the watch of its directory covers it. A direct submodule's .git is
  // covered by the follower of the submodule's git files.
  void record_dot_git(DirectoryNode& node);
  // Whether the directory is a repository now.
  bool is_repository(const DirectoryNode& node) const;
  // For a directory in a submodule: true if it became, or ceased to be, a repository since
  // record_dot_git() or the last call.
  bool repository_changed(DirectoryNode& node);
  // Nodes can be deleted while the caller handles earlier ones; check has_dot_git() again.
  std::vector<DirectoryNode*> with_dot_git() const;
  // Their paths; no '/' at the end.
  std::vector<std::string> paths_with_dot_git() const;
  bool has_dot_git(DirectoryNode* node) const { return dot_gits_.contains(node); }

 private:
  using ByWatch = std::unordered_map<WatchId, DirectoryNode*>;
  struct DotGit {
    WatchId watch = kNoWatch;  // watch of the .git directory
    // Set only for directories in a submodule.
    bool is_directory = false;
    bool makes_repository = false;
  };
  using DotGits = std::map<DirectoryNode*, DotGit>;

  void mark_unwatched(DirectoryNode& node);
  void ask_for_hints();
  bool add_missing(DirectoryNode& node);
  void move_watches(const Nodes& prioritized);
  DirectoryNode* find_dispensable(const Nodes& prioritized) const;
  bool tells_everything(const DirectoryNode& node);
  bool stands(const DirectoryNode& node) const;
  void forget_dot_git_watch(WatchId watch);

  FileSystem& fs_;
  const std::string& root_path_;
  Watcher* const watcher_;
  Directory root_;
  ByWatch by_watch_;
  Nodes covered_;    // by a recursive watch
  Nodes unwatched_;  // without a watch because of the watch limit or an error
  TreeHints hints_;  // for some of unwatched_
  Nodes changed_;
  // Nodes with an incomplete watch: other hosts write to their file system, or another node has the
  // watch of the same directory.
  Nodes unwatchable_;
  std::unordered_map<uint64_t, bool> tells_all_;  // key: device
  DotGits dot_gits_;
};

struct TreeWatches::Replaced {
  ByWatch by_watch;
  DotGits dot_gits;
};

}  // namespace resident
