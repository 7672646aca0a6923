#include "model/staged_changes.h"

#include <utility>

#include "model/rename_detection.h"

namespace resident {

Result<void> StagedChanges::take(const ModelView& view, Causes& causes, TreeIndexDiff diff) {
  raw_ = view.limit.within(view.index, std::move(diff.changes));
  RESIDENT_TRY(unmerged_, view.limit.within(view.index, std::move(diff.unmerged)));
  git_warns_ = false;
  RESIDENT_TRY(std::vector<PathChange> renamed,
               with_renames(view, raw_, unmerged_, StatusQuery{}, git_warns_));
  renamed_.clear();
  for (PathChange& change : renamed) {
    std::string path = change.path;
    renamed_.emplace_hint(renamed_.end(), std::move(path), std::move(change));
  }
  made_from_ = counts(causes);
  ++causes.staged;
  return {};
}

}  // namespace resident
