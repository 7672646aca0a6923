// The part of WorktreeModel about submodules.
#include "model/worktree_model.h"
#include "object/tree.h"

namespace resident {

// Where nothing that a repository's config names may be run, a submodule is scanned like the
// worktree itself.
SubmoduleStatus WorktreeModel::submodule_status() {
  if (options_.trusted) return ask_git_in_submodule;
  return [this](const std::string& path) -> Result<StatusResult> {
    RESIDENT_TRY(Repository repository, discover(path));
    Options options;
    options.threads = options_.threads;
    options.trusted = false;
    WorktreeModel submodule(fs_, std::move(repository), options);
    RESIDENT_CHECK(submodule.scan());
    StatusQuery query;
    query.branch = true;
    const auto untracked = submodule.config()->get("status.showuntrackedfiles").value_or("normal");
    if (untracked == "no") query.untracked = UntrackedMode::kNo;
    if (Result<StatusResult> silent = submodule.answer_if_no_warnings(query); silent.ok())
      return silent;
    RESIDENT_TRY(StatusResult status, submodule.answer(query));
    status.git_warned = true;
    return status;
  };
}

Result<StoredGitmodules> WorktreeModel::stored_gitmodules() {
  constexpr std::string_view kName = ".gitmodules";
  if (auto position = index_->find_path(kName)) {
    const bool merged = index_->entries()[*position].stage() == 0;
    return merged ? StoredGitmodules::kIndex : StoredGitmodules::kUnmerged;
  }
  if (!state_->head_tree()) return StoredGitmodules::kNone;
  RESIDENT_TRY(const std::string root, state_->objects().read_tree(*state_->head_tree()));
  for (TreeIterator entries(root, repository_.algorithm);;) {
    RESIDENT_TRY(const bool more, entries.next());
    if (!more) return StoredGitmodules::kNone;
    if (entries.entry().name == kName) return StoredGitmodules::kHead;
  }
}

Result<void> WorktreeModel::update_submodules() {
  Touched touched = tree_->take_touched();
  touched_rows_due_.insert(touched.entries.begin(), touched.entries.end());
  for (const auto& [path, was] : touched.untracked) touched_untracked_.emplace(path, was);
  ignore_rules_changed_ |= touched.ignore_rules;

  std::set<uint32_t> to_look = std::move(touched.submodules);
  const PathLimit limit = limit_of(options_.pathspec);
  if (rows_differ_) {
    // Positions may mean other entries now.
    submodules_.clear();
    has_gitlinks_ = false;
    for (const uint32_t i : index_->gitlinks()) {
      if (!limit.has_entry(*index_, i)) continue;
      has_gitlinks_ = true;
      if (index_->entries()[i].stage() == 0) to_look.insert(i);
    }
  }
  if (!has_gitlinks_) return {};
  std::erase_if(to_look, [&](uint32_t position) {
    return position >= index_->entries().size() ||
           index_->entries()[position].mode != kModeGitlink || !limit.has_entry(*index_, position);
  });
  const bool all = !options_.watcher || tree_->polls() || submodules_differ_;
  for (auto& [position, known] : submodules_) {
    if (all || !known.files_tell || known.files.changed(fs_, options_.gate))
      to_look.insert(position);
  }
  if (rows_differ_ || submodule_files_.changed(fs_, options_.gate)) {
    submodule_files_ = FileSet::record(fs_, {repository_.worktree + "/.gitmodules"});
    RESIDENT_TRY(const StoredGitmodules stored, stored_gitmodules());
    RESIDENT_TRY(submodule_ignores_,
                 SubmoduleIgnores::load(fs_, repository_.worktree, repository_.git_dir,
                                        state_->config(), stored));
    rows_differ_ = true;
  }
  for (uint32_t position : to_look) {
    SubmoduleKnown known;
    const EntryState state = tree_->states()[position];
    // A skip-worktree entry whose directory is there counts as if it were not marked.
    const bool believed = index_->entries()[position].assume_valid() || state.is_skipped();
    if (state.is_clean() && !believed) {
      const std::string path = repository_.worktree + "/" + index_->path(position);
      known.files = FileSet::record_found(fs_, [&] {
        SubmoduleFiles files = submodule_files(fs_, path, repository_.algorithm);
        known.files_tell = files.complete;
        return std::move(files.paths);
      });
      RESIDENT_TRY(const SubmoduleLook look,
                   look_at_submodule(fs_, path, index_->id(position), submodule_status()));
      known.state = look.state;
      known.git_warns = look.git_warns;
    }
    submodules_[position] = std::move(known);
    touched_rows_due_.insert(position);
  }
  submodules_differ_ = false;
  return {};
}

}  // namespace resident
