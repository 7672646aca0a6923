// PathApplier: rechecks the paths that a recursive watcher marked.
//
// A component of a path is a known name, a listed name, or neither. One that is neither may be
// another spelling of a name (watch/watcher.h):
// - If names differ from it only in case, it means these names.
// - Else a possible short name, or a name with non-ASCII bytes, means every name in its directory.
// - Any other name is gone again.
//
// Paths below an ignored directory, a nested repository or a .git cause no work.
//
// Calls NameRechecker.
//
// Threads: the tree's owner.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tree/name_rechecker.h"
#include "watch/batch.h"

namespace resident {

class PathApplier {
 public:
  // All arguments outlive this object.
  PathApplier(TreeState& state, NameRechecker& rechecker) : state_(state), rechecker_(rechecker) {}

  // False: a full scan is needed.
  bool apply(const Batch::Paths& paths);

 private:
  struct Listing {
    std::string directory;
    bool is_read;  // false: the directory cannot be listed
    std::set<std::string, std::less<>> names;
  };

  bool apply(std::string_view path, PathMark mark);
  bool is_known(const DirectoryNode& node, std::string_view name) const;
  const Listing& list(const DirectoryNode& node);
  DirectoryNode* find_by_case(const DirectoryNode& node, std::string_view name);
  std::vector<std::string> find_names_by_case(const DirectoryNode& node, std::string_view name);
  bool apply_unknown(DirectoryNode& node, std::string_view name, bool below);
  bool recheck_names(DirectoryNode& node, bool below);

  TreeState& state_;
  NameRechecker& rechecker_;
  std::optional<Listing> listing_;  // the last one of the present apply()
};

}  // namespace resident
