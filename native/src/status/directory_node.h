// DirectoryNode: one directory of the worktree as it was last read. Nodes exist for directories
// that are on disk and whose contents matter: those with tracked files below, and untracked ones
// that are not ignored.
//
// Invariants: children() and others() are sorted by name bytes and disjoint; none of their names is
// a tracked file of `index_directory`, except that a directory may stand where the index has a
// file; ".git" is in neither. Where has_nothing_to_list() holds of a node, it holds of every node
// below that is no submodule's.
//
// What has_nothing_to_list() follows from is changed by members alone, which withdraw it here and
// above.
//
// Threads: owned by the model's turns; during a scan each node belongs to the one worker that
// reads it. A node that is being read is not known to have nothing to list, so that the worker
// writes to no other node.
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
  bool submodule = false;    // a gitlink's directory: nothing in it is read for paths
  // core.ignoreCase: it has no entries of the index below it, but another spelling of it has.
  bool folded = false;
  uint16_t permissions = 0;
  uint64_t device = 0;
  uint64_t inode = 0;
  // When it was read. Zero where what happened since could have left the same.
  Timestamp mtime;
  Timestamp ctime;
  std::shared_ptr<const PatternList> patterns;  // of its .gitignore; null without one

  bool is_tracked() const { return index_directory != kNoDirectory; }

  // git enters it whatever else it is, and never shows it as one path.
  bool holds_tracked() const { return is_tracked() || folded; }

  const std::vector<std::unique_ptr<DirectoryNode>>& children() const { return children_; }
  const std::vector<Other>& others() const { return others_; }
  // git shows it as one path: nothing in it is read.
  bool nested_repository() const { return nested_repository_; }
  // False: could not be read, and counts as empty.
  bool readable() const { return readable_; }
  // False: there is a .gitignore that git warns of not reading.
  bool patterns_readable() const { return patterns_readable_; }
  void set_nested_repository(bool nested) { set(nested_repository_, nested); }
  void set_readable(bool readable) { set(readable_, readable); }
  void set_patterns_readable(bool readable) { set(patterns_readable_, readable); }

  // What `stat` tells is the directory that was read, open to the same readers.
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
  // Takes the child out; null if there is none.
  std::unique_ptr<DirectoryNode> remove_child(std::string_view child);
  DirectoryNode& insert_child(std::unique_ptr<DirectoryNode> child);
  // Sets, adds or (nullptr) removes.
  void set_other(std::string_view other, const OtherKind* kind);
  // The index has nothing below it any more.
  void leave_index();

  // For who reads its names. `stat` is of before they are read, `now` of between.
  void record_stat(const FileStat& stat, const Timestamp& now);
  // It is that directory, and the same names are in it that were read.
  bool is_as_read(const FileStat& stat) const;

  // For who reads the directory: everything that is known of its contents goes, then what is found
  // comes in any order, then it is put in order.
  void begin_reading();
  void reserve_children(size_t count) { children_.reserve(count); }
  void add_child(std::unique_ptr<DirectoryNode> child);
  void add_other(std::string_view other, OtherKind kind);
  void end_reading();

  // No mode of git status lists anything at or below it, or says that it cannot read something
  // there. False until one of the following has found so.
  bool has_nothing_to_list() const { return nothing_to_list_; }
  // For who reads a tree: supposes it of a directory that was read, where nothing in the directory
  // itself speaks against it. Once all is read, those of which it is not supposed are to
  // withdraw_above(), on the owner's thread.
  void suppose_nothing_to_list();
  void withdraw_above();
  // Computes it of this node from what is in it, and of its children from what was found of them.
  void find_nothing_to_list() const;

 private:
  bool lists_nothing_itself() const;
  void set(bool& fact, bool now);
  void withdraw_nothing_to_list();

  bool nested_repository_ = false;
  bool readable_ = true;
  bool patterns_readable_ = true;
  mutable bool nothing_to_list_ = false;  // a remembered finding, the owner thread's
  std::vector<std::unique_ptr<DirectoryNode>> children_;
  std::vector<Other> others_;
};

// Calls `visit(node)` for `node` and every node below, parents first.
template <typename Node, typename Visit>
void for_each_node(Node& node, Visit&& visit) {
  visit(node);
  for (const auto& child : node.children()) for_each_node(*child, visit);
}

// Whether the index has a file of that name in the directory: a directory that stands there is not
// listed by its own name.
inline bool has_entry(const Index& index, const DirectoryNode& parent, std::string_view name) {
  return parent.is_tracked() && index.find_entry(parent.index_directory, name).has_value();
}

}  // namespace resident
