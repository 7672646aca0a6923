// The part of WorktreeModel that tells: rows, answers and deltas.
#include <algorithm>

#include "base/stopwatch.h"
#include "model/worktree_model.h"
#include "object/tree.h"
#include "worktree/ask_git.h"
#include "worktree/branch_status.h"
#include "worktree/renames.h"
#include "worktree/status_config.h"
#include "worktree/untracked_view.h"

namespace resident {

namespace {

RenameOptions rename_options(const Config& config, const StatusQuery& query) {
  RenameOptions options;
  options.mode = query.renames.value_or(configured_renames(config));
  options.minimum_score = query.rename_score.value_or(0);
  if (auto limit = configured_rename_limit(config)) options.limit = *limit;
  return options;
}

// Porcelain v2 takes what a detached HEAD came from, a tag or a remote's branch, for the name of a
// branch, which may have an upstream.
bool may_have_upstream(const Config& config, RefStore& refs) {
  constexpr std::string_view kSection = "branch.";
  constexpr std::string_view kVariable = ".merge";
  return std::any_of(config.entries().begin(), config.entries().end(),
                     [&](const ConfigEntry& entry) {
                       std::string_view name = entry.key;
                       if (!name.starts_with(kSection) || !name.ends_with(kVariable)) return false;
                       name.remove_prefix(kSection.size());
                       if (name.size() <= kVariable.size()) return false;
                       name.remove_suffix(kVariable.size());
                       return refs.exists("refs/tags/" + std::string(name)) ||
                              refs.exists("refs/remotes/" + std::string(name));
                     });
}

}  // namespace

// --- Rows
// --------------------------------------------------------------------------------------------------------

// The status that rows and deltas describe.
StatusQuery WorktreeModel::told_query() const {
  StatusQuery query;
  query.untracked = UntrackedMode::kAll;
  query.pathspec = options_.pathspec;
  return query;
}

// Are the changes from HEAD to the index, with renames, of `query` the ones that are kept?
bool WorktreeModel::has_told_staged(const StatusQuery& query) const {
  return !query.renames && !query.rename_score && query.pathspec == options_.pathspec &&
         query.ignore_submodules != IgnoreSubmodules::kAll;
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

// `git_speaks` is set to true where git says something meanwhile.
Result<std::vector<PathChange>> WorktreeModel::with_renames(std::vector<PathChange> changes,
                                                            std::span<const UnmergedPath> unmerged,
                                                            const StatusQuery& query,
                                                            bool& git_speaks) {
  const RenameOptions options = rename_options(state_->config(), query);
  // An unmerged path with a file uses up the source of a rename like an addition.
  const bool has_destinations =
      std::any_of(unmerged.begin(), unmerged.end(),
                  [](const UnmergedPath& path) { return path.after.mode != 0; }) ||
      std::any_of(changes.begin(), changes.end(),
                  [](const PathChange& change) { return change.change == Change::kAdded; });
  if (options.mode == RenameMode::kOff || !has_destinations) return changes;
  ContentSource source;
  source.read = [&](const ObjectId& id, const std::string& path) -> Result<std::string> {
    return id.is_null() ? stored_content(path, git_speaks) : state_->objects().read_blob(id);
  };
  source.is_binary = [this](const std::string& path) {
    return content_.is_binary(path, state_->config());
  };
  source.size = [this](const ObjectId& id, const std::string& path) -> Result<uint64_t> {
    if (id.is_null()) {
      RESIDENT_TRY(FileStat stat, fs_.lstat(repository_.worktree + "/" + path));
      return stat.size;
    }
    RESIDENT_TRY(ObjectInfo info, state_->objects().read_info(id));
    return info.size;
  };
  RESIDENT_TRY(RenameResult result, detect_renames(std::move(changes), unmerged, options, source));
  return std::move(result.changes);
}

// What git would store of a file of the worktree.
Result<std::string> WorktreeModel::stored_content(const std::string& path, bool& git_speaks) {
  RESIDENT_TRY(Directory root, fs_.open_directory(repository_.worktree));
  RESIDENT_TRY(FileStat stat, fs_.stat_at(root, path));
  const auto position = index_->find_path(path);
  const ObjectId in_index =
      position ? index_->id(*position) : ObjectId::null(repository_.algorithm);
  RESIDENT_TRY(FileContent::Stored stored, content_.read({root, path, path}, stat, in_index));
  // Here git warns of line ends that would not come back as they are.
  git_speaks |= stored.git_speaks || stored.converted;
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
  // git matches a sparse directory as it stands, by rules of its own.
  if (query.pathspec && index_was_sparse_) {
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
    // What git says of its commits depends on whether it looks for renames at all.
    if (entry.stage() != 0 && state.mode() == kModeGitlink) {
      return Error{ErrorCode::kUnsupported, index_->path(position) + ": an unmerged submodule"};
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
  for (uint32_t i = first; i < index_->entries().size() && index_->path(i) == path; ++i) {
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
               with_renames(std::move(changes), in_worktree(unmerged), query, rows.git_speaks));

  const auto is_unmerged = [&unmerged](const std::string& path) {
    auto at = std::lower_bound(
        unmerged.begin(), unmerged.end(), path,
        [](const UnmergedPath& entry, const std::string& wanted) { return entry.path < wanted; });
    return at != unmerged.end() && at->path == path;
  };
  std::map<std::string, PathChange> own_staged;
  const std::map<std::string, PathChange>* staged = &staged_.renamed;
  if (!has_told_staged(query)) {
    std::vector<PathChange> raw = limit.within(*index_, staged_.raw);
    // Before the first commit git lists the index, whatever is to be ignored.
    if (query.ignore_submodules == IgnoreSubmodules::kAll && state_->head_tree()) {
      std::erase_if(raw, [](const PathChange& change) {
        return (change.before.mode == kModeGitlink || change.before.mode == 0) &&
               (change.after.mode == kModeGitlink || change.after.mode == 0);
      });
    }
    RESIDENT_TRY(raw, with_renames(std::move(raw), unmerged, query, rows.git_speaks));
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
void WorktreeModel::update_row(uint32_t position) {
  const std::string path = index_->path(position);
  touched_rows_.insert(path);
  if (index_->entries()[position].stage() != 0) {
    rows_.unmerged[path] = unmerged_row(path, told_query());
    return;
  }
  const StatusQuery query = told_query();
  const PathChange change = change_of(position, query);
  const std::optional<SubmoduleState> submodule = visible_submodule(position, query);
  auto staged = staged_.renamed.find(path);
  const PathChange* in_index = staged == staged_.renamed.end() ? nullptr : &staged->second;
  const PathChange* in_worktree = change.change == Change::kNone ? nullptr : &change;
  if (in_index || in_worktree) {
    rows_.changed[path] = changed_entry(in_index, in_worktree, submodule ? &*submodule : nullptr);
  } else {
    rows_.changed.erase(path);
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
    for (uint32_t position : due) update_row(position);
    return {};
  }
  has_intent_to_add_ = std::any_of(index_->entries().begin(), index_->entries().end(),
                                   [](const IndexEntry& entry) { return entry.intent_to_add(); });
  Result<Rows> rows = build_rows(told_query());
  if (!rows.ok()) {
    rows_differ_ = true;
    return std::move(rows).error();
  }
  replace_rows(std::move(rows).value());
  return {};
}

// --- Answers
// -----------------------------------------------------------------------------------------------------

Result<StatusResult> WorktreeModel::answer(const StatusQuery& query) {
  if (options_.watcher) {
    RESIDENT_CHECK(update());
  } else if (failure_) {
    return *failure_;
  }
  if (delegated_.empty()) {
    Result<StatusResult> own = own_answer(query, false);
    const bool for_git = !own.ok() && own.error().code == ErrorCode::kUnsupported;
    if (!for_git || !options_.trusted || !options_.asks_git || query.operation) return own;
  } else if (query.operation) {
    // No format for scripts tells of it.
    return Error{ErrorCode::kUnsupported, delegated_};
  }
  return ask_git(query, git_options());
}

Result<StatusResult> WorktreeModel::answer_in_silence(const StatusQuery& query) {
  if (options_.watcher) {
    RESIDENT_CHECK(update());
  } else if (failure_) {
    return *failure_;
  }
  if (!delegated_.empty()) return Error{ErrorCode::kUnsupported, delegated_};
  RESIDENT_CHECK(check_silence(query));
  return own_answer(query, true);
}

bool WorktreeModel::misses_start_of_walk(const StatusQuery& query) const {
  if (!query.pathspec || query.untracked == UntrackedMode::kNo) return false;
  const std::string start(query.pathspec->common_directory());
  if (tree_->find_node(start) || !tree_->find_node(start.substr(0, start.find('/') + 1))) {
    return false;
  }
  Result<FileStat> stat = fs_.stat(repository_.worktree + "/" + start);
  return !stat.ok() || stat->kind != FileKind::kDirectory;
}

// What is known before the lists are made.
Result<void> WorktreeModel::check_silence(const StatusQuery& query) const {
  const auto speaks = [](std::string why) {
    return Error{ErrorCode::kUnsupported, std::move(why)};
  };
  if (state_->config().git_speaks()) return speaks("git complains about a config file");
  if (state_->head_is_ambiguous()) return speaks("the name HEAD is ambiguous");
  if (state_->rules_unreadable()) return speaks("a file with ignore rules cannot be read");
  state_->objects().refresh();
  if (const auto problems = state_->objects().problems(); !problems.empty()) {
    return speaks(problems.front().message);
  }
  if (git_distrusts_untracked_cache(*index_, state_->config(), repository_.worktree, query)) {
    return speaks("git has a warning about its untracked cache");
  }
  for (uint32_t position : tree_->changed_entries()) {
    if (tree_->states()[position].git_speaks()) {
      return speaks(index_->path(position) + ": git complains about it");
    }
  }
  if (misses_start_of_walk(query)) return speaks("the pathspec begins where no directory is");
  if (query.branch && state_->head().detached &&
      may_have_upstream(state_->config(), state_->refs())) {
    return speaks("HEAD is detached, and may be told as the branch that it came from");
  }
  if (!submodules_.empty() && submodule_ignores_.git_speaks()) {
    return speaks("git complains about .gitmodules");
  }
  for (const auto& [position, known] : submodules_) {
    if (known.git_speaks) return speaks(index_->path(position) + ": git complains about it");
  }
  return {};
}

Result<StatusResult> WorktreeModel::own_answer(const StatusQuery& query, bool in_silence) {
  RESIDENT_CHECK(check_answerable(query));
  StatusResult result;
  bool git_speaks = false;
  auto fill = [&](const Rows& rows) {
    git_speaks |= rows.git_speaks;
    for (const auto& [path, row] : rows.changed) result.changed.push_back(row);
    for (const auto& [path, row] : rows.unmerged) result.unmerged.push_back(row);
  };
  if (has_told_rows(query)) {
    fill(rows_);
  } else {
    RESIDENT_TRY(Rows rows, build_rows(query));
    fill(rows);
  }
  const Stopwatch listing;
  RESIDENT_TRY(UntrackedLists lists,
               untracked_view(fs_, repository_.worktree, *index_, tree_->top(),
                              {query.untracked, query.ignored, limit_of(query.pathspec),
                               state_->settings().ignore_case}));
  // A pathspec that asks for attributes has had them read by now.
  const bool pathspec_speaks = query.pathspec && content_.attributes_speak();
  if (in_silence && (git_speaks || lists.git_speaks || pathspec_speaks)) {
    return Error{ErrorCode::kUnsupported, "git complains about what it cannot read"};
  }
  result.untracked = std::move(lists.untracked);
  result.ignored = std::move(lists.ignored);
  result.enumerating = scan_time_ + listing.elapsed();
  RESIDENT_CHECK(add_branch(query, result));
  if (query.operation) RESIDENT_CHECK(add_operation(result));
  if (query.stash) {
    RESIDENT_TRY(result.stash_count,
                 count_stash(fs_, repository_.common_dir, repository_.algorithm));
  }
  return result;
}

Result<std::vector<bool>> WorktreeModel::ignored(const std::vector<std::string>& paths) {
  if (options_.watcher) RESIDENT_CHECK(update());
  std::vector<bool> answers;
  if (!delegated_.empty()) {
    std::string input;
    for (const std::string& path : paths) input.append(path).push_back('\0');
    GitRunOptions options = git_options();
    options.input = input;
    RESIDENT_TRY(GitOutput output, run_git({"check-ignore", "-z", "--stdin"}, options));
    std::set<std::string_view> found;
    for (std::string_view rest = output.out; !rest.empty();) {
      const size_t end = rest.find('\0');
      found.insert(rest.substr(0, end));
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    for (const std::string& path : paths) answers.push_back(found.contains(path));
    return answers;
  }
  for (const std::string& path : paths) {
    Result<FileStat> stat = fs_.lstat(repository_.worktree + "/" + path);
    answers.push_back(tree_->is_ignored(path, stat.ok() && stat->kind == FileKind::kDirectory));
  }
  return answers;
}

Result<std::optional<std::string>> WorktreeModel::content(const std::string& path, int stage) {
  if (options_.watcher) RESIDENT_CHECK(update());
  if (!delegated_.empty()) {
    std::string object = stage < 0 ? "HEAD" : ":" + std::to_string(stage);
    object.append(":").append(path);
    RESIDENT_TRY(GitOutput output, run_git({"cat-file", "blob", object}, git_options()));
    if (output.exit_code != 0) return std::optional<std::string>();
    return std::optional(std::move(output.out));
  }
  std::optional<ObjectId> id;
  if (stage < 0) {
    RESIDENT_TRY(id, blob_in_tree(state_->head_tree(), path));
  } else if (auto position = index_->find_path(path)) {
    const std::string_view name = index_->name(index_->entries()[*position]);
    for (uint32_t i = *position;
         i < index_->entries().size() && index_->name(index_->entries()[i]) == name; ++i) {
      if (index_->entries()[i].stage() == stage && !index_->entries()[i].intent_to_add()) {
        id = index_->id(i);
        break;
      }
    }
  } else if (stage == 0) {
    RESIDENT_TRY(id, blob_in_sparse(path));
  }
  if (!id) return std::optional<std::string>();
  RESIDENT_TRY(std::string blob, state_->objects().read_blob(*id));
  return std::optional(std::move(blob));
}

// The blob of a path below a sparse directory.
Result<std::optional<ObjectId>> WorktreeModel::blob_in_sparse(std::string_view path) {
  for (size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
    auto directory = index_->find_directory(path.substr(0, slash));
    if (!directory) break;
    if (auto tree = index_->sparse_tree(*directory)) {
      return blob_in_tree(tree, path.substr(slash + 1));
    }
  }
  return std::optional<ObjectId>();
}

Result<std::optional<ObjectId>> WorktreeModel::blob_in_tree(std::optional<ObjectId> tree,
                                                            std::string_view path) {
  while (tree) {
    const size_t slash = path.find('/');
    const std::string_view name = path.substr(0, slash);
    RESIDENT_TRY(std::string content, state_->objects().read_tree(*tree));
    std::optional<TreeEntry> found;
    for (TreeIterator entries(content, repository_.algorithm); !found;) {
      RESIDENT_TRY(bool more, entries.next());
      if (!more) break;
      if (entries.entry().name == name) found = entries.entry();
    }
    if (!found || found->mode == kModeGitlink) return std::optional<ObjectId>();
    if (slash == std::string_view::npos) {
      return found->is_tree() ? std::optional<ObjectId>() : std::optional(found->id);
    }
    if (!found->is_tree()) return std::optional<ObjectId>();
    tree = found->id;
    path.remove_prefix(slash + 1);
  }
  return std::optional<ObjectId>();
}

// --- Deltas
// ------------------------------------------------------------------------------------------------------

ModelState WorktreeModel::state() const {
  ModelState state;
  state.directories = tree_->watched();
  if (failure_ && !scanning_) {
    state.kind = ModelState::Kind::kFailed;
    state.message = failure_->message;
  } else if (!scanned_ || scanning_ || !desynced_.empty()) {
    state.kind = scanned_ ? ModelState::Kind::kVerifying : ModelState::Kind::kScanning;
    state.message = desynced_.empty() ? "everything is looked at again" : desynced_;
    state.files_seen = progress_.files_seen;
    state.files_expected = progress_.files_expected;
  } else if (!delegated_.empty()) {
    state.kind = ModelState::Kind::kDelegated;
    state.message = delegated_;
  } else if (!tree_->unwatched().empty()) {
    state.kind = ModelState::Kind::kPolling;
    state.polled = tree_->unwatched().size();
    state.needed = state.directories + state.polled;
  } else {
    state.kind = ModelState::Kind::kWatching;
  }
  return state;
}

std::optional<StatusDelta> WorktreeModel::take_delta() {
  StatusDelta delta;
  delta.base_version = version_;
  delta.version = version_ + 1;
  for (const std::string& path : std::exchange(touched_rows_, {})) {
    if (auto changed = rows_.changed.find(path); changed != rows_.changed.end()) {
      delta.changed.push_back(changed->second);
    } else if (auto unmerged = rows_.unmerged.find(path); unmerged != rows_.unmerged.end()) {
      delta.unmerged.push_back(unmerged->second);
    } else {
      delta.removed.push_back(path);
    }
  }
  for (const auto& [path, was] : std::exchange(touched_untracked_, {})) {
    const bool is = untracked().contains(path);
    if (is && !was) delta.untracked.push_back(path);
    if (!is && was) delta.removed_untracked.push_back(path);
  }
  if (branch_ && branch_ != told_branch_) delta.branch = told_branch_ = branch_;
  const Operation operation = state_ ? state_->operation() : Operation::kNone;
  if (operation != told_operation_) delta.operation = told_operation_ = operation;
  if (ModelState now = state(); now != told_state_) delta.state = told_state_ = std::move(now);
  delta.ignore_rules_changed = std::exchange(ignore_rules_changed_, false);
  delta.content_changed = std::exchange(content_changed_, false);
  for (std::string& problem : tree_->take_problems()) {
    if (told_problems_.insert(problem).second) delta.problems.push_back(std::move(problem));
  }
  delta.since = std::exchange(since_, {});
  const bool empty = delta.changed.empty() && delta.unmerged.empty() && delta.untracked.empty() &&
                     delta.removed.empty() && delta.removed_untracked.empty() && !delta.branch &&
                     !delta.operation && !delta.state && delta.problems.empty() &&
                     !delta.ignore_rules_changed && !delta.content_changed;
  if (empty) return std::nullopt;
  version_ = delta.version;
  return delta;
}

StatusDelta WorktreeModel::whole() {
  StatusDelta delta;
  delta.version = version_;
  for (const auto& [path, row] : rows_.changed) delta.changed.push_back(row);
  for (const auto& [path, row] : rows_.unmerged) delta.unmerged.push_back(row);
  delta.untracked.assign(untracked().begin(), untracked().end());
  delta.branch = told_branch_;
  delta.operation = told_operation_;
  delta.state = told_state_;
  delta.ignore_rules_changed = delta.content_changed = true;
  return delta;
}

}  // namespace resident
