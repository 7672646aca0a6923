#include "model/staged_changes.h"

#include <algorithm>
#include <utility>

#include "model/rename_detection.h"

namespace resident {
namespace {

// Of changes in the order of their paths.
std::vector<std::string> directories_of_removed(const Index& index,
                                                std::span<const PathChange> changes) {
  std::vector<std::string> directories;
  for (const PathChange& change : changes) {
    const size_t slash = change.path.rfind('/');
    if (change.change != Change::kDeleted || slash == std::string::npos) continue;
    const std::string_view directory = std::string_view(change.path).substr(0, slash + 1);
    if (!directories.empty() && directories.back() == directory) continue;
    if (!index.find_directory(directory.substr(0, slash))) directories.emplace_back(directory);
  }
  return directories;
}

}  // namespace

Result<void> StagedChanges::take(const ModelView& view, InputVersions& versions,
                                 TreeIndexDiff diff) {
  removed_directories_ = directories_of_removed(view.index, diff.changes);
  raw_ = view.limit.within(view.index, std::move(diff.changes));
  RESIDENT_TRY(unmerged_, view.limit.within(view.index, std::move(diff.unmerged)));
  git_warns_ = false;
  // Only what was removed leads there.
  const bool leads_outside_index = !removed_directories_.empty();
  if (leads_outside_index) view.content.forget_outside_index();
  RESIDENT_TRY(std::vector<PathChange> renamed,
               with_renames(view, raw_, unmerged_, StatusQuery{}, git_warns_));
  attributes_outside_index_.clear();
  if (leads_outside_index) attributes_outside_index_ = view.content.looks_outside_index();
  renamed_.clear();
  for (PathChange& change : renamed) {
    std::string path = change.path;
    renamed_.emplace_hint(renamed_.end(), std::move(path), std::move(change));
  }
  made_from_ = counts(versions);
  ++versions.staged;
  return {};
}

bool StagedChanges::knows_attributes(FileSystem& fs) const {
  return std::all_of(attributes_outside_index_.begin(), attributes_outside_index_.end(),
                     [&](const auto& look) { return look.is_current(fs); });
}

}  // namespace resident
