// NameRechecker: examines one name on disk and stores the result in the tree. Every change of a
// scanned tree is stored this way, except the results of a poll and of a rescan.
//
// A name can be a file, a directory with everything below it, or nothing any more. A recheck can
// delete and replace the named node and those below it. After a change of ignore rules or of a
// .git, it can also replace other nodes. Callers look nodes up again after each call.
//
// Calls no other operation.
//
// Threads: the tree's owner.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tree/tree_state.h"

namespace resident {

class NameRechecker {
 public:
  // `state` outlives this object.
  explicit NameRechecker(TreeState& state) : state_(state) {}

  // --- Names

  // Rechecks a name that may have changed without an event. `arrived`: read its directory again
  // even if its stat is the same.
  void recheck_name(DirectoryNode& node, std::string_view name, bool arrived);
  // The same with `arrived`, for a new index instead of an event.
  void recheck_for_index(DirectoryNode& node, std::string_view name);
  // Rechecks a name by its path. False: its directory is not in the tree.
  bool recheck_path(std::string_view path);
  // The same for a file whose content must be compared again. It does not report the file as a
  // changed attributes file.
  void recheck_content(std::string_view path);
  // The same, but first drops the cached comparison.
  void compare_again(std::string_view path);
  // Compares again all files that were compared by content, after a change of attributes or
  // filters.
  void compare_all_again();

  // --- Directories

  // Rechecks the node's name in its parent like a new name. The node may be deleted and replaced.
  void reread_directory(const DirectoryNode& node);
  // Rechecks each present and previous name in the directory, except .git. False: it could not be
  // listed.
  bool recheck_names(DirectoryNode& node, const Directory& directory, bool arrived = false);

  // info/exclude or core.excludesFile changed.
  void set_rules(const ExcludeRules& rules);
  // Rechecks directories that may have become, or ceased to be, nested repositories without an
  // event. Also rechecks repositories that may have got or lost their commit. Includes directories
  // in submodules.
  void recheck_nested();

 private:
  void examine_name(DirectoryNode& node, std::string_view name, bool arrived);
  void mark_unseen(DirectoryNode& node, std::string_view name);
  void enter_directory(DirectoryNode& node, std::string_view name, bool arrived,
                       const FileStat& stat);
  bool is_as_indexed(std::string_view path) const;

  void read_subtree(DirectoryNode& node);
  void drop(DirectoryNode& parent, std::string_view name);
  void count_untracked(DirectoryNode& node, bool listed);
  bool has_attributes(DirectoryNode& node) const;

  void reload_patterns(DirectoryNode& node);
  void reignore(DirectoryNode& node);
  void recheck_directories_at_files();

  TreeState& state_;
  bool is_for_index_ = false;  // the present recheck is for a new index, not for an event
};

}  // namespace resident
