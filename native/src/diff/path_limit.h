// PathLimit: the paths that a question is about, as git status takes its pathspec.
//
// Source: git's dir.h (ce_path_match), diff-lib.c (oneway_diff, run_diff_files) and dir.c
// (treat_path, treat_directory, simplify_away).
//
// Immutable; the check of attributes decides about threads.
#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "diff/path_change.h"
#include "index/index.h"
#include "pattern/pathspec.h"

namespace resident {

class PathLimit {
 public:
  // No limit.
  PathLimit() = default;
  PathLimit(std::shared_ptr<const Pathspec> pathspec, AttributeCheck has_attributes)
      : pathspec_(std::move(pathspec)), has_attributes_(std::move(has_attributes)) {}

  bool is_everything() const { return !pathspec_ || pathspec_->empty(); }

  // Tracked paths.
  bool has_entry(const Index& index, uint32_t position) const {
    return is_everything() || matches_entry(index, position);
  }
  // A change from HEAD to the index: the index's entry decides, HEAD's where there is none.
  bool has_change(const Index& index, const PathChange& change) const;
  // kUnsupported where the stages of a path stand differently to the limit, because some are files
  // and some a submodule.
  Result<bool> has_unmerged(const Index& index, uint32_t first_position) const;

  // Those of the changes from HEAD to the index, and of its unmerged paths, that are within.
  std::vector<PathChange> within(const Index& index, std::vector<PathChange> changes) const;
  Result<std::vector<UnmergedPath>> within(const Index& index,
                                           std::vector<UnmergedPath> unmerged) const;

  // Paths on disk. `path` is a file's or symbolic link's.
  bool has_file(std::string_view path) const;
  // Of a directory without tracked content; `directory` ends in '/'.
  PathspecMatch directory(std::string_view directory) const;
  // False: git does not even look at `path`, which does not end in '/'.
  bool may_be_at_or_below(std::string_view path) const;
  // The same inside of an ignored directory, which git looks through before it knows where its walk
  // begins.
  bool may_be_ignored_at_or_below(std::string_view path) const;
  // Where git's walk begins, without listing the directories above: "" or ending in '/'.
  std::string_view start() const;

 private:
  bool matches_entry(const Index& index, uint32_t position) const;

  std::shared_ptr<const Pathspec> pathspec_;  // null: everything
  AttributeCheck has_attributes_;
};

}  // namespace resident
