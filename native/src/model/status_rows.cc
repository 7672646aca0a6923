#include "model/status_rows.h"

#include <algorithm>
#include <utility>

#include "model/rename_detection.h"
#include "object/tree.h"

namespace resident {

namespace {

PathChange change_of(const StatusRows::Sources& sources, uint32_t position,
                     const StatusQuery& query) {
  const Index& index = sources.view.index;
  if (index.entries()[position].mode == kModeGitlink &&
      sources.submodules.is_ignored(index.path(position), query)) {
    return {};
  }
  const std::optional<SubmoduleState> submodule = sources.submodules.visible(position, query);
  return worktree_change(index, position, sources.view.tree.entries[position],
                         submodule ? &*submodule : nullptr);
}

// git also compares stage 2 with the worktree, and shows whether the result is a submodule. It
// skips files that it cannot see.
UnmergedEntry unmerged_row(const StatusRows::Sources& sources, const std::string& path,
                           const StatusQuery& query) {
  const Index& index = sources.view.index;
  const uint32_t first = *index.find_path(path);
  const EntryState state = sources.view.tree.entries[first];
  UnmergedEntry row = unmerged_entry(index, first, state);
  if (state.is_unseen()) return row;
  for (uint32_t i = first, end = index.end_of_path(first); i < end; ++i) {
    const IndexEntry& entry = index.entries()[i];
    if (entry.stage() != 2 || entry.mode != kModeGitlink) continue;
    if (!sources.submodules.is_ignored(path, query)) row.is_submodule = true;
  }
  return row;
}

// Unmerged paths, as the comparison of index and worktree reports them.
std::vector<UnmergedPath> in_worktree(const ModelView& view,
                                      std::span<const UnmergedPath> unmerged) {
  std::vector<UnmergedPath> found;
  for (const UnmergedPath& path : unmerged) {
    UnmergedPath in_worktree{path.path, {}, {}};
    if (auto position = view.index.find_path(path.path)) {
      const EntryState state = view.tree.entries[*position];
      if (state.is_present()) in_worktree.after.mode = state.mode();
    }
    in_worktree.before.id = in_worktree.after.id = ObjectId::null(view.repository.algorithm);
    found.push_back(std::move(in_worktree));
  }
  return found;
}

bool has(std::span<const UnmergedPath> unmerged, const std::string& path) {
  const auto at = std::lower_bound(
      unmerged.begin(), unmerged.end(), path,
      [](const UnmergedPath& entry, const std::string& wanted) { return entry.path < wanted; });
  return at != unmerged.end() && at->path == path;
}

// The changes from the index to the worktree.
Result<std::vector<PathChange>> worktree_changes(const StatusRows::Sources& sources,
                                                 const PathLimit& limit,
                                                 std::span<const UnmergedPath> unmerged,
                                                 const StatusQuery& query, bool& git_warns) {
  const ModelView& view = sources.view;
  std::set<uint32_t> positions = view.tree.entries.changed();
  for (const auto& [position, known] : sources.submodules.by_position()) positions.insert(position);
  std::vector<PathChange> changes;
  for (const uint32_t position : positions) {
    // git also compares stage 2 with the worktree, for renames only.
    const int stage = view.index.entries()[position].stage();
    if ((stage != 0 && stage != 2) || !limit.has_entry(view.index, position)) continue;
    PathChange change = change_of(sources, position, query);
    if (change.change != Change::kNone) changes.push_back(std::move(change));
  }
  std::sort(changes.begin(), changes.end(),
            [](const PathChange& a, const PathChange& b) { return a.path < b.path; });
  return with_renames(view, std::move(changes), in_worktree(view, unmerged), query, git_warns);
}

// git trusts the cache-tree. Below a valid cache-tree it finds an unmerged entry only in the
// worktree comparison.
Result<void> check_unmerged(const ModelView& view, const PathLimit& limit,
                            std::span<const UnmergedPath> unmerged) {
  for (const uint32_t position : view.tree.entries.changed()) {
    if (view.index.entries()[position].stage() == 0) continue;
    if (!limit.has_entry(view.index, position)) continue;
    if (const std::string path = view.index.path(position); !has(unmerged, path)) {
      return Error{ErrorCode::kUnsupported,
                   path + ": an unmerged entry is below a valid cache-tree"};
    }
  }
  return {};
}

// The changes from HEAD to the index, for a query that the kept changes do not answer.
Result<std::map<std::string, PathChange>> staged_of(const StatusRows::Sources& sources,
                                                    const PathLimit& limit,
                                                    std::span<const UnmergedPath> unmerged,
                                                    const StatusQuery& query, bool& git_warns) {
  std::vector<PathChange> raw = limit.within(sources.view.index, sources.staged.raw());
  // Before the first commit git lists the index, whatever is to be ignored.
  if (query.ignore_submodules == IgnoreSubmodules::kAll && sources.view.state.head_tree()) {
    std::erase_if(raw, [](const PathChange& change) {
      return (change.before.mode == kModeGitlink || change.before.mode == 0) &&
             (change.after.mode == kModeGitlink || change.after.mode == 0);
    });
  }
  RESIDENT_TRY(raw, with_renames(sources.view, std::move(raw), unmerged, query, git_warns));
  std::map<std::string, PathChange> staged;
  for (PathChange& change : raw) {
    std::string path = change.path;
    staged.emplace(std::move(path), std::move(change));
  }
  return staged;
}

}  // namespace

// The query of the kept rows, which deltas report.
StatusQuery StatusRows::kept_query() const {
  StatusQuery query;
  query.untracked = UntrackedMode::kAll;
  query.pathspec = pathspec_;
  return query;
}

// True if the kept changes from HEAD to the index, with renames, answer `query`.
bool StatusRows::are_staged_of(const StatusQuery& query) const {
  // Names every field. A new field breaks the build until its effect is decided here.
  const auto& [untracked, ignored, ignore_submodules, renames, rename_score, branch, ahead_behind,
               stash, operation, pathspec] = query;
  return !renames && !rename_score && pathspec == pathspec_ &&
         ignore_submodules != IgnoreSubmodules::kAll;
}

bool StatusRows::are_of(const StatusQuery& query, const KnownSubmodules& submodules) const {
  return are_staged_of(query) && !query.ignore_submodules &&
         (submodules.empty() || query.untracked != UntrackedMode::kNo);
}

Result<TrackedRows> StatusRows::make(const Sources& sources, const StatusQuery& query) const {
  const ModelView& view = sources.view;
  TrackedRows rows;
  const PathLimit limit = view.limit_of(query.pathspec);
  RESIDENT_TRY(const std::vector<UnmergedPath> unmerged,
               limit.within(view.index, sources.staged.unmerged()));
  RESIDENT_TRY(const std::vector<PathChange> changes,
               worktree_changes(sources, limit, unmerged, query, rows.git_warns));
  RESIDENT_CHECK(check_unmerged(view, limit, unmerged));
  std::map<std::string, PathChange> own_staged;
  const bool is_kept = are_staged_of(query);
  if (is_kept) {
    rows.git_warns |= sources.staged.git_warns();
  } else {
    RESIDENT_TRY(own_staged, staged_of(sources, limit, unmerged, query, rows.git_warns));
  }
  const std::map<std::string, PathChange>& staged = is_kept ? sources.staged.renamed() : own_staged;

  for (const auto& [path, change] : staged) {
    rows.changed.emplace_hint(rows.changed.end(), path, changed_entry(&change, nullptr, nullptr));
  }
  for (const PathChange& change : changes) {
    if (has(unmerged, change.path)) continue;
    const auto also = staged.find(change.path);
    std::optional<SubmoduleState> submodule;
    if (change.before.mode == kModeGitlink && change.after.mode == kModeGitlink) {
      if (auto position = view.index.find_path(change.path)) {
        submodule = sources.submodules.visible(*position, query);
      }
    }
    rows.changed[change.path] = changed_entry(also == staged.end() ? nullptr : &also->second,
                                              &change, submodule ? &*submodule : nullptr);
  }
  for (const UnmergedPath& path : unmerged) {
    if (view.index.find_path(path.path)) {
      rows.unmerged.emplace(path.path, unmerged_row(sources, path.path, query));
    }
  }
  return rows;
}

// Updates one row. Only for changes that cannot affect another row.
void StatusRows::update_row(const Sources& sources, uint32_t position, const StatusQuery& query) {
  const Index& index = sources.view.index;
  if (index.entries()[position].stage() != 0) {
    return kept_.set(unmerged_row(sources, index.path(position), query));
  }
  const PathChange change = change_of(sources, position, query);
  // An ignored submodule has an empty change without a path.
  const std::string path = change.path.empty() ? index.path(position) : change.path;
  const std::optional<SubmoduleState> submodule = sources.submodules.visible(position, query);
  const auto& renamed = sources.staged.renamed();
  const auto staged = renamed.find(path);
  const PathChange* in_index = staged == renamed.end() ? nullptr : &staged->second;
  const PathChange* in_worktree = change.change == Change::kNone ? nullptr : &change;
  if (in_index || in_worktree) {
    kept_.set(changed_entry(in_index, in_worktree, submodule ? &*submodule : nullptr));
  } else {
    kept_.erase_changed(path);
  }
}

Result<void> StatusRows::update(const Sources& sources, const InputVersions& versions) {
  const Counts made_from = {versions.index, versions.scan, versions.binding, versions.staged,
                            versions.ignores};
  const Index& index = sources.view.index;
  // If no input version differs, the positions belong to this index.
  const std::set<uint32_t> due = std::exchange(due_, {});
  // An intent-to-add entry or an unmerged path can be the other half of a rename in the worktree.
  const bool all = made_from_ != made_from ||
                   std::any_of(due.begin(), due.end(),
                               [&](uint32_t i) { return index.entries()[i].intent_to_add(); }) ||
                   ((has_intent_to_add_ || !sources.staged.unmerged().empty()) && !due.empty());
  if (!all) {
    const StatusQuery query = kept_query();
    for (const uint32_t position : due) update_row(sources, position, query);
    return {};
  }
  made_from_.reset();
  has_intent_to_add_ = index.may_intend_to_add() &&
                       std::any_of(index.entries().begin(), index.entries().end(),
                                   [](const IndexEntry& entry) { return entry.intent_to_add(); });
  RESIDENT_TRY(TrackedRows rows, make(sources, kept_query()));
  kept_.replace(std::move(rows));
  made_from_ = made_from;
  return {};
}

}  // namespace resident
