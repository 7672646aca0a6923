// DirectoryNode: one directory of the worktree as it was last read. Nodes exist for directories on
// disk with relevant contents: those with tracked files below, and untracked ones that are not
// ignored.
//
// Invariants: children() and others() are sorted by name bytes and disjoint. Neither has ".git" or
// a tracked file of `index_directory`; only a directory may have the name of a tracked file. If a
// node has_nothing_to_list(), so does every node below it, except in submodules.
//
// Only members change the facts behind has_nothing_to_list(). They clear it here and in all
// parents.
//
// Threads: owned by the model's turns. During a scan each node belongs to the one worker that reads
// it. A node that is being read has a false has_nothing_to_list(), so the worker writes to no other
// node.
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
  kIgnoredDirectory,  // ignored, no tracked files below: not entered
  kSpecial,           // socket, fifo, device: git ignores it
};

struct Other {
  std::string name;
  OtherKind kind;
  friend bool operator==(const Other&, const Other&) = default;
};

struct DirectoryNode {
  DirectoryNode* parent = nullptr;
  std::string name;                         // empty for the root
  uint32_t index_directory = kNoDirectory;  // kNoDirectory: no index entries below
  WatchId watch = kNoWatch;
  bool ignored = false;      // it or a parent is ignored, but it has tracked files below
  bool has_dot_git = false;  // has a .git; never set for the root
  bool submodule = false;    // directory of a gitlink: its contents are not listed
  // core.ignoreCase: no index entries below it, but below another spelling of it.
  bool folded = false;
  uint16_t permissions = 0;
  uint64_t device = 0;
  uint64_t inode = 0;
  // Times when it was read. Zero if a later change could leave the same time.
  Timestamp mtime;
  Timestamp ctime;
  std::shared_ptr<const PatternList> patterns;  // from its .gitignore; null without the file

  bool is_tracked() const { return index_directory != kNoDirectory; }

  // git always enters such a directory, and never lists it as one path.
  bool holds_tracked() const { return is_tracked() || folded; }

  const std::vector<std::unique_ptr<DirectoryNode>>& children() const { return children_; }
  const std::vector<Other>& others() const { return others_; }
  // git lists it as one path and does not read it.
  bool nested_repository() const { return nested_repository_; }
  // False: it could not be read, and counts as empty.
  bool readable() const { return readable_; }
  // False: git warns that it cannot read the .gitignore here.
  bool patterns_readable() const { return patterns_readable_; }
  void set_nested_repository(bool nested) { set(nested_repository_, nested); }
  void set_readable(bool readable) { set(readable_, readable); }
  void set_patterns_readable(bool readable) { set(patterns_readable_, readable); }

  // `stat` is of the directory that was read, with the same permissions to read and search.
  bool was_read_from(const FileStat& stat) const {
    constexpr uint16_t kReadAndSearch = 0555;
    return device == stat.device && inode == stat.inode &&
           ((permissions ^ stat.permissions) & kReadAndSearch) == 0;
  }

  // From the worktree's root: "" for the root, else ending in '/'.
  std::string path() const { return path_of({}); }
  std::string path_of(std::string_view child) const;
  void append_path(std::string& out, std::string_view child = {}) const;

  DirectoryNode* find_child(std::string_view child) const;
  const Other* find_other(std::string_view other) const;
  // Removes and returns the child; null without such a child.
  std::unique_ptr<DirectoryNode> remove_child(std::string_view child);
  DirectoryNode& insert_child(std::unique_ptr<DirectoryNode> child);
  // Adds or replaces; nullptr removes.
  void set_other(std::string_view other, const OtherKind* kind);
  // The index has no entries below it any more.
  void leave_index();

  // Called by the reader of its names. Both `stat` and `now` must be taken before the names are
  // read.
  void record_stat(const FileStat& stat, const Timestamp& now);
  // True if `stat` shows the same directory with the same names as when it was read.
  bool is_as_read(const FileStat& stat) const;

  // For a reader: begin_reading() clears the known contents, add_child() and add_other() add names
  // in any order, and end_reading() sorts them.
  void begin_reading();
  void reserve_children(size_t count) { children_.reserve(count); }
  void add_child(std::unique_ptr<DirectoryNode> child);
  void add_other(std::string_view other, OtherKind kind);
  void end_reading();

  // True: no mode of git status lists a path or reports an unreadable directory, here or below. Set
  // only by suppose_nothing_to_list() and find_nothing_to_list().
  bool has_nothing_to_list() const { return nothing_to_list_; }
  // For a reader of a tree. Sets it on a directory that was read, if the directory's own contents
  // allow it. After the whole tree is read, the owner's thread calls withdraw_above() on each node
  // without it.
  void suppose_nothing_to_list();
  void withdraw_above();
  // Computes it from this node's contents and from the values of its children.
  void find_nothing_to_list() const;

 private:
  bool lists_nothing_itself() const;
  void set(bool& fact, bool now);
  void withdraw_nothing_to_list();

  bool nested_repository_ = false;
  bool readable_ = true;
  bool patterns_readable_ = true;
  mutable bool nothing_to_list_ = false;  // cached value, for the owner thread
  std::vector<std::unique_ptr<DirectoryNode>> children_;
  std::vector<Other> others_;
};

// Calls `visit(node)` for `node` and every node below, parents first.
template <typename Node, typename Visit>
void for_each_node(Node& node, Visit&& visit) {
  visit(node);
  for (const auto& child : node.children()) for_each_node(*child, visit);
}

// Whether the index has an entry `name` in the directory. A directory with that name is not listed
// as one path.
inline bool has_entry(const Index& index, const DirectoryNode& parent, std::string_view name) {
  return parent.is_tracked() && index.find_entry(parent.index_directory, name).has_value();
}

}  // namespace resident
