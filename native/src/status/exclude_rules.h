// Decides which untracked paths are ignored. Order of the files: the .gitignore files of a path's
// directories, deepest first, then info/exclude, then core.excludesFile. A path below an ignored
// directory is ignored and cannot be re-included.
//
// Source: git's gitignore(5) and dir.c (last_matching_pattern_from_lists, prep_exclude).
#pragma once

#include <memory>
#include <string_view>

#include "ignore/pattern_list.h"
#include "status/directory_node.h"

namespace resident {

// A pattern and its list; null: no pattern matches.
struct ExcludeMatch {
  const PatternList* list = nullptr;
  const Pattern* pattern = nullptr;

  bool ignores() const { return pattern && !pattern->negative; }
};

struct ExcludeRules {
  std::shared_ptr<const PatternList> info_exclude;   // null: none
  std::shared_ptr<const PatternList> excludes_file;  // null: none
  PatternMatching matching;

  // The pattern that decides about `path`, without regard to ignored parent directories. Arguments
  // like ignores().
  ExcludeMatch last_match(const DirectoryNode& directory, std::string_view path,
                          std::string_view name, bool is_directory) const;

  // `path` is `name` below `directory`, from the root, without a slash at the end.
  bool ignores(const DirectoryNode& directory, std::string_view path, std::string_view name,
               bool is_directory) const;
};

}  // namespace resident
