// The part of WorktreeModel that makes rows: what git prints of each path that is not as in HEAD.
#include <algorithm>

#include "diff/rename_config.h"
#include "diff/renames.h"
#include "model/worktree_model.h"
#include "object/tree.h"

namespace resident {

namespace {

RenameOptions rename_options(const Config& config, const GitRules& rules,
                             const StatusQuery& query) {
  RenameOptions options;
  options.counts_incomplete_chunk = rules.counts_incomplete_chunk;
  options.prefers_unique_basenames = rules.prefers_unique_basenames;
  options.mode = query.renames.value_or(configured_renames(config));
  options.minimum_score = query.rename_score.value_or(0);
  options.limit = configured_rename_limit(config).value_or(rules.default_rename_limit);
  return options;
}

}  // namespace

// The status that rows and deltas describe.
StatusQuery WorktreeModel::told_query() const {
  StatusQuery query;
  query.untracked = UntrackedMode::kAll;
  query.pathspec = options_.pathspec;
  return query;
}

// Are the changes from HEAD to the index, with renames, of `query` the ones that are kept?
bool WorktreeModel::has_told_staged(const StatusQuery& query) const {
  // Each field is named: one more does not build until it is decided here whether it matters.
  const auto& [untracked, ignored, ignore_submodules, renames, rename_score, branch, ahead_behind,
               stash, operation, pathspec] = query;
  return !renames && !rename_score && pathspec == options_.pathspec &&
         ignore_submodules != IgnoreSubmodules::kAll;
}

// Are the rows of `query` the ones that are kept?
bool WorktreeModel::has_told_rows(const StatusQuery& query) const {
  return has_told_staged(query) && !query.ignore_submodules &&
         (submodules_.empty() || query.untracked != UntrackedMode::kNo);
}

PathLimit WorktreeModel::limit_of(const std::shared_ptr<const Pathspec>& pathspec) {
  return {pathspec, [this](std::string_view path, std::span<const AttributeDemand> demands) {
            return content_.has_attributes(path, demands);
          }};
}

// `git_warns` is set to true where git says something meanwhile.
Result<std::vector<PathChange>> WorktreeModel::with_renames(std::vector<PathChange> changes,
                                                            std::span<const UnmergedPath> unmerged,
                                                            const StatusQuery& query,
                                                            bool& git_warns) {
  const RenameOptions options = rename_options(state_->config(), state_->git_rules(), query);
  // An unmerged path with a file uses up the source of a rename like an addition.
  const bool has_destinations =
      std::any_of(unmerged.begin(), unmerged.end(),
                  [](const UnmergedPath& path) { return path.after.mode != 0; }) ||
      std::any_of(changes.begin(), changes.end(),
                  [](const PathChange& change) { return change.change == Change::kAdded; });
  if (options.mode == RenameMode::kOff || !has_destinations) return changes;
  // git compares the file in the worktree instead, where it holds what the index says.
  const auto check_read = [this](const ObjectId& id, const std::string& path) -> Result<void> {
    if (!state_->objects().is_replaced(id)) return {};
    return Error{ErrorCode::kUnsupported, path + ": its content is replaced"};
  };
  ContentSource source;
  // git takes what is stored from the worktree, where it has the same without a conversion; so it
  // reads the attributes of either side.
  source.read = [&](const ObjectId& id, const std::string& path) -> Result<std::string> {
    git_warns |= content_.attributes_warn_of(path);
    if (id.is_null()) return stored_content(path, git_warns);
    RESIDENT_CHECK(check_read(id, path));
    return state_->objects().read_blob(id);
  };
  source.is_binary = [this](const std::string& path) {
    return content_.is_binary(path, state_->config());
  };
  source.size = [&](const ObjectId& id, const std::string& path) -> Result<uint64_t> {
    git_warns |= content_.attributes_warn_of(path);
    if (id.is_null()) {
      RESIDENT_TRY(FileStat stat, fs_.lstat(repository_.worktree + "/" + path));
      return stat.size;
    }
    RESIDENT_CHECK(check_read(id, path));
    RESIDENT_TRY(ObjectInfo info, state_->objects().read_info(id));
    return info.size;
  };
  RESIDENT_TRY(RenameResult result, detect_renames(std::move(changes), unmerged, options, source));
  return std::move(result.changes);
}

// What git would store of a file of the worktree.
Result<std::string> WorktreeModel::stored_content(const std::string& path, bool& git_warns) {
  RESIDENT_TRY(Directory root, fs_.open_directory(repository_.worktree));
  RESIDENT_TRY(FileStat stat, fs_.stat_at(root, path));
  const auto position = index_->find_path(path);
  const ObjectId in_index =
      position ? index_->id(*position) : ObjectId::null(repository_.algorithm);
  RESIDENT_TRY(FileContent::Stored stored, content_.read({root, path}, stat, in_index));
  // Here git warns of line ends that would not come back as they are.
  git_warns |= stored.git_warns || stored.converted;
  return std::move(stored.content);
}

// Unmerged paths as the comparison of index and worktree has them.
std::vector<UnmergedPath> WorktreeModel::in_worktree(std::span<const UnmergedPath> unmerged) const {
  std::vector<UnmergedPath> found;
  for (const UnmergedPath& path : unmerged) {
    UnmergedPath in_worktree{path.path, {}, {}};
    if (auto position = index_->find_path(path.path)) {
      const EntryState state = tree_->states()[*position];
      if (state.is_present()) in_worktree.after.mode = state.mode();
    }
    in_worktree.before.id = in_worktree.after.id = ObjectId::null(repository_.algorithm);
    found.push_back(std::move(in_worktree));
  }
  return found;
}

std::optional<SubmoduleState> WorktreeModel::visible_submodule(uint32_t position,
                                                               const StatusQuery& query) const {
  auto known = submodules_.find(position);
  if (known == submodules_.end()) return std::nullopt;
  return submodule_ignores_.visible(index_->path(position), known->second.state, query);
}

bool WorktreeModel::is_ignored_submodule(uint32_t position, const StatusQuery& query) const {
  return !submodule_ignores_.visible(index_->path(position), {}, query);
}

// Nothing where only git can say what `query` sees of the entries: it fails itself.
Result<void> WorktreeModel::check_answerable(const StatusQuery& query) {
  if ((query.pathspec || query.ignored != IgnoredMode::kNo) &&
      !state_->git_rules().walks_by_pathspec) {
    return Error{ErrorCode::kUnsupported, "this git walks otherwise for such a question"};
  }
  // git matches a sparse directory as it stands, by rules of its own.
  if (query.pathspec && index_was_sparse()) {
    return Error{ErrorCode::kUnsupported, "a pathspec, matched against sparse directories"};
  }
  const PathLimit limit = limit_of(query.pathspec);
  for (uint32_t position : tree_->changed_entries()) {
    if (!limit.has_entry(*index_, position)) continue;
    const EntryState state = tree_->states()[position];
    if (state.is_unanswerable()) {
      return Error{ErrorCode::kUnsupported, index_->path(position) + ": git cannot read it either"};
    }
    const IndexEntry& entry = index_->entries()[position];
    if (!state.is_present()) continue;
    const bool as_in_index = state.mode() == entry.mode && entry.mode != kModeGitlink;
    if (entry.intent_to_add() && !as_in_index && !state_->git_rules().looks_at_files_to_add) {
      return Error{ErrorCode::kUnsupported, index_->path(position) + ": to be added"};
    }
    // What git says of its commits depends on whether it looks for renames at all.
    if (entry.stage() != 0 && state.mode() == kModeGitlink) {
      return Error{ErrorCode::kUnsupported, index_->path(position) + ": an unmerged submodule"};
    }
    // Without symbolic links or executable bits each stage makes a mode of its own of the file;
    // which one git shows depends on the contents too.
    if (entry.stage() == 2 && index_->find_path(index_->path(position)) != position &&
        tree_->states()[position - 1].mode() != state.mode()) {
      return Error{ErrorCode::kUnsupported, index_->path(position) + ": stages of several types"};
    }
    if (entry.mode != kModeGitlink) continue;
    const IgnoreSubmodules ignored = submodule_ignores_.mode(index_->path(position), query);
    // git refuses to look for a submodule behind a symbolic link.
    if (state.mode() == kModeSymlink && ignored < IgnoreSubmodules::kDirty) {
      return Error{ErrorCode::kUnsupported,
                   index_->path(position) + ": a submodule replaced by a symbolic link"};
    }
  }
  return {};
}

// git compares stage 2 with the worktree besides, and what that says of a submodule it shows.
UnmergedEntry WorktreeModel::unmerged_row(const std::string& path, const StatusQuery& query) const {
  const uint32_t first = *index_->find_path(path);
  UnmergedEntry row = unmerged_entry(*index_, first, tree_->states()[first]);
  for (uint32_t i = first, end = index_->end_of_path(first); i < end; ++i) {
    const IndexEntry& entry = index_->entries()[i];
    if (entry.stage() != 2) continue;
    if (entry.mode == kModeGitlink && !is_ignored_submodule(i, query)) row.is_submodule = true;
  }
  return row;
}

PathChange WorktreeModel::change_of(uint32_t position, const StatusQuery& query) const {
  const std::optional<SubmoduleState> submodule = visible_submodule(position, query);
  if (index_->entries()[position].mode == kModeGitlink && is_ignored_submodule(position, query)) {
    return {};
  }
  return worktree_change(*index_, position, tree_->states()[position],
                         submodule ? &*submodule : nullptr);
}

// Every tracked row as `query` has it.
Result<WorktreeModel::Rows> WorktreeModel::build_rows(const StatusQuery& query) {
  Rows rows;
  const PathLimit limit = limit_of(query.pathspec);
  RESIDENT_TRY(const std::vector<UnmergedPath> unmerged, limit.within(*index_, staged_.unmerged));
  std::vector<PathChange> changes;
  std::set<uint32_t> positions = tree_->changed_entries();
  for (const auto& [position, known] : submodules_) positions.insert(position);
  for (uint32_t position : positions) {
    // git compares stage 2 with the worktree too, for renames only.
    const int stage = index_->entries()[position].stage();
    if ((stage != 0 && stage != 2) || !limit.has_entry(*index_, position)) continue;
    PathChange change = change_of(position, query);
    if (change.change != Change::kNone) changes.push_back(std::move(change));
  }
  auto by_path = [](const PathChange& a, const PathChange& b) { return a.path < b.path; };
  std::sort(changes.begin(), changes.end(), by_path);
  RESIDENT_TRY(changes,
               with_renames(std::move(changes), in_worktree(unmerged), query, rows.git_warns));

  const auto is_unmerged = [&unmerged](const std::string& path) {
    auto at = std::lower_bound(
        unmerged.begin(), unmerged.end(), path,
        [](const UnmergedPath& entry, const std::string& wanted) { return entry.path < wanted; });
    return at != unmerged.end() && at->path == path;
  };
  for (const uint32_t position : tree_->changed_entries()) {
    if (index_->entries()[position].stage() == 0 || !limit.has_entry(*index_, position)) continue;
    if (const std::string path = index_->path(position); !is_unmerged(path)) {
      // git believes the cache-tree, and meets the path in the worktree only.
      return Error{ErrorCode::kUnsupported, path + ": unmerged, below a valid cache-tree"};
    }
  }
  std::map<std::string, PathChange> own_staged;
  const std::map<std::string, PathChange>* staged = &staged_.renamed;
  if (has_told_staged(query)) {
    rows.git_warns |= staged_.git_warns;
  } else {
    std::vector<PathChange> raw = limit.within(*index_, staged_.raw);
    // Before the first commit git lists the index, whatever is to be ignored.
    if (query.ignore_submodules == IgnoreSubmodules::kAll && state_->head_tree()) {
      std::erase_if(raw, [](const PathChange& change) {
        return (change.before.mode == kModeGitlink || change.before.mode == 0) &&
               (change.after.mode == kModeGitlink || change.after.mode == 0);
      });
    }
    RESIDENT_TRY(raw, with_renames(std::move(raw), unmerged, query, rows.git_warns));
    for (PathChange& change : raw) {
      std::string path = change.path;
      own_staged.emplace(std::move(path), std::move(change));
    }
    staged = &own_staged;
  }

  for (const auto& [path, change] : *staged) {
    rows.changed.emplace_hint(rows.changed.end(), path, changed_entry(&change, nullptr, nullptr));
  }
  for (const PathChange& change : changes) {
    if (is_unmerged(change.path)) continue;
    auto also = staged->find(change.path);
    std::optional<SubmoduleState> submodule;
    if (change.before.mode == kModeGitlink && change.after.mode == kModeGitlink) {
      if (auto position = index_->find_path(change.path))
        submodule = visible_submodule(*position, query);
    }
    rows.changed[change.path] = changed_entry(also == staged->end() ? nullptr : &also->second,
                                              &change, submodule ? &*submodule : nullptr);
  }
  for (const UnmergedPath& path : unmerged) {
    if (index_->find_path(path.path)) {
      rows.unmerged.emplace(path.path, unmerged_row(path.path, query));
    }
  }
  return rows;
}

// One row, where no other can be affected.
void WorktreeModel::update_row(uint32_t position, const StatusQuery& query) {
  if (index_->entries()[position].stage() != 0) {
    const std::string path = index_->path(position);
    UnmergedEntry row = unmerged_row(path, query);
    auto& known = rows_.unmerged[path];
    if (!(known == row)) touched_rows_.insert(path);
    known = std::move(row);
    return;
  }
  const PathChange change = change_of(position, query);
  // Of a submodule that is ignored no more is told than that there is no change.
  const std::string path = change.path.empty() ? index_->path(position) : change.path;
  const std::optional<SubmoduleState> submodule = visible_submodule(position, query);
  auto staged = staged_.renamed.find(path);
  const PathChange* in_index = staged == staged_.renamed.end() ? nullptr : &staged->second;
  const PathChange* in_worktree = change.change == Change::kNone ? nullptr : &change;
  if (in_index || in_worktree) {
    ChangedEntry row = changed_entry(in_index, in_worktree, submodule ? &*submodule : nullptr);
    ChangedEntry& known = rows_.changed[path];
    if (!(known == row)) touched_rows_.insert(path);
    known = std::move(row);
  } else if (rows_.changed.erase(path) > 0) {
    touched_rows_.insert(path);
  }
}

void WorktreeModel::replace_rows(Rows now) {
  auto note = [this](const auto& before, const auto& after) {
    for (const auto& [path, row] : before) {
      auto same = after.find(path);
      if (same == after.end() || !(same->second == row)) touched_rows_.insert(path);
    }
    for (const auto& [path, row] : after) {
      if (!before.contains(path)) touched_rows_.insert(path);
    }
  };
  note(rows_.changed, now.changed);
  note(rows_.unmerged, now.unmerged);
  rows_ = std::move(now);
}

Result<void> WorktreeModel::update_rows() {
  // An intent-to-add entry or an unmerged path can be the other half of a rename in the worktree.
  const bool all =
      std::exchange(rows_differ_, false) ||
      std::any_of(touched_rows_due_.begin(), touched_rows_due_.end(),
                  [this](uint32_t i) { return index_->entries()[i].intent_to_add(); }) ||
      ((has_intent_to_add_ || !staged_.unmerged.empty()) && !touched_rows_due_.empty());
  const std::set<uint32_t> due = std::exchange(touched_rows_due_, {});
  if (!all) {
    const StatusQuery query = told_query();
    for (uint32_t position : due) update_row(position, query);
    return {};
  }
  has_intent_to_add_ = index_->may_intend_to_add() &&
                       std::any_of(index_->entries().begin(), index_->entries().end(),
                                   [](const IndexEntry& entry) { return entry.intent_to_add(); });
  Result<Rows> rows = build_rows(told_query());
  if (!rows.ok()) {
    rows_differ_ = true;
    return std::move(rows).error();
  }
  replace_rows(std::move(rows).value());
  return {};
}

}  // namespace resident
