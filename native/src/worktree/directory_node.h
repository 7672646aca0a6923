// DirectoryNode: one directory of the worktree as it was last read. Nodes exist for directories
// that are on disk and whose contents matter: those with tracked files below, and untracked ones
// that are not ignored.
//
// Invariants: `children` and `others` are sorted by name bytes and disjoint; none of their names is
// a tracked file of `index_directory`, except that a directory may stand where the index has a
// file; ".git" is in neither.
//
// Threads: owned by the model's thread; during a scan each node belongs to the one worker that
// reads it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fs/file_stat.h"
#include "ignore/pattern_list.h"
#include "index/index.h"
#include "watch/watcher.h"

namespace resident {

enum class OtherKind : uint8_t {
  kFile,              // untracked file or symbolic link
  kIgnoredFile,       // the same, ignored
  kIgnoredDirectory,  // ignored and without tracked files: not entered
  kSpecial,           // socket, fifo, device: git does not see it
};

struct Other {
  std::string name;
  OtherKind kind;
  friend bool operator==(const Other&, const Other&) = default;
};

struct DirectoryNode {
  DirectoryNode* parent = nullptr;
  std::string name;                         // empty for the root
  uint32_t index_directory = kNoDirectory;  // where the current index has entries below this one
  WatchId watch = kNoWatch;
  bool ignored = false;      // it or a directory above is ignored, yet it has tracked files below
  bool has_dot_git = false;  // there is something named .git in it (and it is not the root)
  bool nested_repository = false;  // git shows it as one path: nothing in it is read
  bool submodule = false;          // a gitlink's directory: nothing in it is read for paths
  // core.ignoreCase: it has no entries of the index below it, but another spelling of it has.
  bool folded = false;
  bool readable = true;           // false: could not be read, and counts as empty
  bool patterns_readable = true;  // false: there is a .gitignore that git warns of not reading
  uint64_t device = 0;
  uint64_t inode = 0;
  Timestamp mtime;                              // when it was read
  std::shared_ptr<const PatternList> patterns;  // of its .gitignore; null without one
  std::vector<std::unique_ptr<DirectoryNode>> children;
  std::vector<Other> others;

  bool is_tracked() const { return index_directory != kNoDirectory; }

  // git enters it whatever else it is, and never shows it as one path.
  bool holds_tracked() const { return is_tracked() || folded; }

  // From the worktree's root: "" for the root, else ending in '/'.
  std::string path() const;
  std::string path_of(std::string_view child) const { return path().append(child); }

  DirectoryNode* find_child(std::string_view child) const;
  Other* find_other(std::string_view other);
  // Takes the child out; null if there is none.
  std::unique_ptr<DirectoryNode> remove_child(std::string_view child);
  DirectoryNode& insert_child(std::unique_ptr<DirectoryNode> child);
  // Sets, adds or (nullptr) removes.
  void set_other(std::string_view other, const OtherKind* kind);
};

// Calls `visit(node)` for `node` and every node below, parents first.
template <typename Visit>
void for_each_node(DirectoryNode& node, Visit&& visit) {
  visit(node);
  for (auto& child : node.children) for_each_node(*child, visit);
}

}  // namespace resident
