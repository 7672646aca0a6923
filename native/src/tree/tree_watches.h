// TreeWatches: the watches of a tree's directories, and those directories that no watch tells of.
//
// Invariants: of_watch() maps exactly the watches of living nodes; a node that was read is watched
// and its watch tells everything, or it is polled.
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

  // `watcher` null: nothing is watched. `root` is the worktree's path, absolute; all outlive this.
  TreeWatches(FileSystem& fs, const std::string& root, Watcher* watcher)
      : fs_(fs), root_path_(root), watcher_(watcher), hints_(watcher) {}

  // The root, open; directories are opened from it.
  void set_root(Directory root) { root_ = std::move(root); }
  const Directory& root() const { return root_; }
  Result<Directory> open(const DirectoryNode& node) const;

  // --- Watches

  // Null where it is no living node's.
  DirectoryNode* find(WatchId watch) const;
  bool is_watched(const DirectoryNode& node) const { return find(node.watch) == &node; }
  size_t count() const { return by_watch_.size(); }
  // The node's directory is watched by this.
  void take(WatchId watch, DirectoryNode& node);
  // Watches its directory again. False where that is another watch than it was: something may have
  // happened that no event told.
  bool renew(DirectoryNode& node, const Directory& directory);
  // The node is no more.
  void drop(DirectoryNode& node);
  // Removes a watch that no node has.
  void remove_stray(WatchId watch) const;
  // Another tree instead of the one that is watched: the watches of the old one that the new one
  // has not taken by end_replacing() are removed.
  struct Replaced;
  Replaced begin_replacing();
  void end_replacing(const Replaced& replaced);

  // --- What no watch tells of

  void mark_unwatched(const std::vector<DirectoryNode*>& nodes) {
    for (DirectoryNode* node : nodes) mark_unwatched(*node);
  }
  // Directories that are looked at without an event, and those of them for which no watch was left.
  size_t polled() const { return unwatched_.size() + unwatchable_.size(); }
  size_t unwatched() const { return unwatched_.size(); }
  bool is_polled(const DirectoryNode& node) const {
    return unwatched_.contains(&node) || unwatchable_.contains(&node);
  }
  // Begins a round of looks without an event: watches go to those that have none where there are
  // any to be had, and where there are none, to `favoured` from others, and hints to the rest.
  void begin_polling(const Nodes& prioritized);
  // What any round looks at: those that got or lost a watch since the last one that came to its
  // end, so that what happened until a watch told of it, or since one did, is seen.
  const Nodes& changed() const { return changed_; }
  // Those of which a hint told since then, which any round looks at too.
  const TreeHints::Nodes& hinted() const { return hints_.told(); }
  // And one of everything.
  Nodes all_to_poll() const;
  void end_polling() {
    changed_.clear();
    hints_.forget_told();
  }
  // Whether this is a hint rather than a watch; it is hinted() then.
  bool record_hint(WatchId watch) { return hints_.note(watch); }

  // --- Directories with a .git in them, the root not among them

  // Its .git is watched, so that what is made or removed in it wakes whoever then looks. A .git
  // that is a file is seen by the watch on its directory, and that of a submodule of the worktree
  // by who follows its files.
  void record_dot_git(DirectoryNode& node);
  // Whether the directory is a repository of its own now.
  bool is_repository(const DirectoryNode& node) const;
  // Whether a directory in a submodule has become a repository by what is in its .git, or is none
  // any more, since that .git was noted or this was last asked.
  bool repository_changed(DirectoryNode& node);
  // Not all of them need be left by the time when a caller comes to it.
  std::vector<DirectoryNode*> with_dot_git() const;
  bool has_dot_git(DirectoryNode* node) const { return dot_gits_.contains(node); }

 private:
  using ByWatch = std::unordered_map<WatchId, DirectoryNode*>;
  struct DotGit {
    WatchId watch = kNoWatch;  // on it
    // Of one in a submodule alone.
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
  Nodes unwatched_;  // for want of watches
  TreeHints hints_;  // of some of those
  Nodes changed_;
  // Whose file system others write to, or that another path leads to whose node has the watch.
  Nodes unwatchable_;
  std::unordered_map<uint64_t, bool> tells_all_;  // by device
  DotGits dot_gits_;
};

struct TreeWatches::Replaced {
  ByWatch by_watch;
  DotGits dot_gits;
};

}  // namespace resident
