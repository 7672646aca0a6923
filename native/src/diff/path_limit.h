// PathLimit: the paths that a question is about, with the rules of git status for its pathspec.
//
// Source: git's dir.h (ce_path_match), diff-lib.c (oneway_diff, run_diff_files) and dir.c
// (treat_path, treat_directory, simplify_away).
//
// Threads: immutable; thread-safe if the attribute check is.
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

  // True if the tracked path is within the limit.
  bool has_entry(const Index& index, uint32_t position) const {
    return is_everything() || matches_entry(index, position);
  }
  // A change from HEAD to the index. The index entry decides; without an entry, HEAD's decides.
  bool has_change(const Index& index, const PathChange& change) const;
  // kUnsupported: only some stages of the path are within the limit. This happens if some are files
  // and some are submodules.
  Result<bool> has_unmerged(const Index& index, uint32_t first_position) const;

  // Removes changes and unmerged paths between HEAD and index that are outside the limit.
  std::vector<PathChange> within(const Index& index, std::vector<PathChange> changes) const;
  Result<std::vector<UnmergedPath>> within(const Index& index,
                                           std::vector<UnmergedPath> unmerged) const;

  // Paths on disk. `path` is a file or a symbolic link.
  bool has_file(std::string_view path) const;
  // Matches a directory without tracked content; `directory` ends in '/'.
  PathspecMatch directory(std::string_view directory) const;
  // False: git does not examine `path`, which does not end in '/'.
  bool may_be_at_or_below(std::string_view path) const;
  // The same inside an ignored directory. git searches it before it knows where its walk starts.
  bool may_be_ignored_at_or_below(std::string_view path) const;
  // The directory where git's walk starts: "" or a path that ends in '/'. git does not list the
  // directories above it.
  std::string_view start() const;

 private:
  bool matches_entry(const Index& index, uint32_t position) const;

  std::shared_ptr<const Pathspec> pathspec_;  // null: everything
  AttributeCheck has_attributes_;
};

}  // namespace resident
