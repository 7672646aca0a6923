#include "diff/path_limit.h"

#include <algorithm>

#include "object/tree.h"

namespace resident {

bool PathLimit::matches_entry(const Index& index, uint32_t position) const {
  const bool is_gitlink = index.entries()[position].mode == kModeGitlink;
  return pathspec_->match(index.path(position), is_gitlink, has_attributes_) !=
         PathspecMatch::kNone;
}

bool PathLimit::has_change(const Index& index, const PathChange& change) const {
  if (is_everything()) return true;
  if (auto position = index.find_path(change.path)) return has_entry(index, *position);
  const bool is_gitlink = change.before.mode == kModeGitlink;
  return pathspec_->match(change.path, is_gitlink, has_attributes_) != PathspecMatch::kNone;
}

Result<bool> PathLimit::has_unmerged(const Index& index, uint32_t first_position) const {
  if (is_everything()) return true;
  const bool has_first = has_entry(index, first_position);
  for (uint32_t i = first_position + 1, end = index.end_of_path(first_position); i < end; ++i) {
    if (has_entry(index, i) != has_first) {
      return Error{ErrorCode::kUnsupported,
                   index.path(i) + ": within the pathspec in some stages only"};
    }
  }
  return has_first;
}

std::vector<PathChange> PathLimit::within(const Index& index,
                                          std::vector<PathChange> changes) const {
  if (is_everything()) return changes;
  std::erase_if(changes, [&](const PathChange& change) { return !has_change(index, change); });
  return changes;
}

Result<std::vector<UnmergedPath>> PathLimit::within(const Index& index,
                                                    std::vector<UnmergedPath> unmerged) const {
  if (is_everything()) return unmerged;
  std::vector<UnmergedPath> kept;
  for (UnmergedPath& path : unmerged) {
    const auto position = index.find_path(path.path);
    if (!position) continue;
    RESIDENT_TRY(const bool has, has_unmerged(index, *position));
    if (has) kept.push_back(std::move(path));
  }
  return kept;
}

bool PathLimit::has_file(std::string_view path) const {
  return is_everything() || pathspec_->match(path, false, has_attributes_) != PathspecMatch::kNone;
}

PathspecMatch PathLimit::directory(std::string_view directory) const {
  return is_everything() ? PathspecMatch::kRecursive
                         : pathspec_->match_leading(directory, has_attributes_);
}

bool PathLimit::may_be_at_or_below(std::string_view path) const {
  if (is_everything()) return true;
  const std::string_view start = pathspec_->common_directory();
  const bool on_the_way =
      path.size() < start.size() && start[path.size()] == '/' && start.starts_with(path);
  return (on_the_way || path.starts_with(start)) && may_be_ignored_at_or_below(path);
}

bool PathLimit::may_be_ignored_at_or_below(std::string_view path) const {
  return is_everything() || pathspec_->may_match_at_or_below(path);
}

std::string_view PathLimit::start() const {
  return is_everything() ? std::string_view() : pathspec_->common_directory();
}

}  // namespace resident
