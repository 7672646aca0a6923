#include "model/worktree_model.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/stopwatch.h"
#include "diff/sparse_directories.h"
#include "diff/tree_index_diff.h"
#include "object/tree.h"

namespace resident {

namespace {

// After so many looks, what was read before is read again; as often at most.
constexpr uint64_t kManyLooks = 600;
constexpr int kMostTries = 3;

// What is missing here may be had by git: a partial clone fetches it.
Error for_git(Error error) {
  if (error.code == ErrorCode::kNotFound) error.code = ErrorCode::kUnsupported;
  return error;
}

// Whether the file was rewritten with the same bytes at the same time, if at all.
bool says_the_same(const FileStat& stat, const ObjectId& checksum, const Index& now) {
  return now.stat() == stat && now.checksum() == checksum && !checksum.is_null();
}

}  // namespace

WorktreeModel::WorktreeModel(FileSystem& fs, Repository repository, const Options& options)
    : fs_(fs),
      repository_(std::move(repository)),
      options_(options),
      tasks_(options.git, options.git_answered),
      content_({fs_, repository_.worktree, repository_.algorithm, options_.trusted}),
      pending_(options.pending) {
  tree_ = std::make_unique<WorktreeTree>(WorktreeTree::Setup{
      fs_, repository_.worktree, repository_.git_dir, options_.watcher, content_, options_.threads,
      [this](const Index& index, uint32_t position) {
        return state_->objects().read_blob(index.id(position));
      },
      limit_of(options_.pathspec), options_.untracked, options_.once});
}

WorktreeModel::~WorktreeModel() = default;

// --- What surrounds the worktree
// ---------------------------------------------------------------------------------

Result<void> WorktreeModel::load_index() {
  FileSet recorded = FileSet::record(fs_, {repository_.index_path});
  if (refresh_index()) {
    index_files_ = std::move(recorded);
    return {};
  }
  RESIDENT_TRY(std::shared_ptr<Index> index, Index::load(repository_.index_path, index_options()));
  index_files_ = std::move(recorded);
  // Immutable under its name, and yet it can be gone, or another one.
  const bool same_shared = !shared_index_files_.changed(fs_);
  shared_index_files_ = FileSet::record(fs_, {index->shared_path()});
  if (index_ && same_shared && says_the_same(index_->stat(), index_->checksum(), *index)) return {};
  // The tree is behind the index that it has.
  settings_differ_ |= !refreshed_.empty();
  refreshable_index_ = std::move(index);
  index_ = refreshable_index_;
  sparse_as_read_.reset();
  if (index_->is_sparse()) {
    sparse_as_read_.emplace();
    for (const uint32_t directory : index_->sparse_directories()) {
      sparse_as_read_->push_back(index_->directory_path(directory));
    }
  }
  index_is_new_ = staged_differs_ = content_changed_ = gitlinks_differ_ = true;
  progress_.files_expected = index_->entries().size();
  return {};
}

// False: it is to be loaded anew.
bool WorktreeModel::refresh_index() {
  // What the tree has not taken over yet would be forgotten.
  const bool waits = index_is_new_ || !refreshed_.empty();
  if (!refreshable_index_ || waits) return false;
  const FileStat stat = index_->stat();
  const ObjectId checksum = index_->checksum();
  // With core.ignoreCase another path can hide any untracked one.
  const bool may_move = scanned_ && delegated_.empty() && &tree_->index() == index_.get() &&
                        !state_->settings().ignore_case;
  std::optional<Index::Refreshed> refreshed =
      refreshable_index_->refresh(repository_.index_path, index_options(), may_move);
  if (!refreshed) return false;
  if (refreshed->moves.empty() && says_the_same(stat, checksum, *index_)) return true;
  refreshed_ = *std::move(refreshed);
  if (!refreshed_.moves.empty()) {
    tree_->renumber(refreshed_.moves);
    // All rows and submodules are looked for anew.
    touched_rows_due_.clear();
    drop_filters_of_others();
    progress_.files_expected = index_->entries().size();
  }
  staged_differs_ = content_changed_ = rows_differ_ = gitlinks_differ_ = true;
  return true;
}

Index::LoadOptions WorktreeModel::index_options() const {
  // git status does not verify the checksum either.
  return {
      .algorithm = repository_.algorithm, .verify_checksum = false, .git_dir = repository_.git_dir};
}

void WorktreeModel::set_content_rules() {
  FileContent::Rules rules;
  rules.index = index_;
  rules.objects = &state_->objects();
  rules.config = ConversionConfig::read(state_->config());
  const auto& contents = state_->attribute_contents();
  rules.info_attributes = contents[0];
  rules.user_attributes = contents[1];
  rules.system_attributes = contents[2];
  rules.cone = state_->sparse_cone();
  rules.matching = state_->rules().matching;
  rules.directory_is_read = !state_->git_rules().passes_over_attribute_directories;
  rules.attributes_unreadable = state_->attributes_unreadable();
  content_.set_rules(std::move(rules));
}

Result<void> WorktreeModel::refresh_metadata() {
  bool conversions_differ = !state_;
  if (!state_) {
    GitSource source;
    if (!tasks_.runs_in_place()) {
      source = {[this] { return ask_config(); },
                [this](const GitProgram& program) { return ask_git_version(program); }};
    }
    RESIDENT_TRY(state_, RepositoryState::load(fs_, repository_, options_.config, options_.gate,
                                               std::move(source)));
    settings_differ_ = staged_differs_ = true;
  } else {
    const bool ask_again = is_to_be_asked_again(config_asked_);
    RESIDENT_TRY(RepositoryState::Changes changes, state_->refresh(ask_again));
    if (changes.config) config_asked_.for_unsettled = 0;
    settings_differ_ |= changes.settings;
    staged_differs_ |= changes.head || changes.config;
    branch_differs_ |= changes.head || changes.config;
    content_changed_ |= changes.head;
    if (scanned_ && changes.rules) tree_->set_rules(state_->rules());
    conversions_differ = changes.attributes || changes.config;
    staged_differs_ |= changes.attributes;
    // Those of the user hold in submodules too.
    submodules_differ_ |= changes.rules || conversions_differ;
  }
  if (!state_->awaits_git()) {
    config_kept_.reset();
    config_wanted_ = 0;
  }
  if (!index_ || index_files_.changed(fs_, options_.gate) ||
      shared_index_files_.changed(fs_, options_.gate)) {
    RESIDENT_CHECK(load_index());
  }
  if (conversions_differ || index_is_new_ || !refreshed_.empty()) set_content_rules();
  if (state_->git_rules().folds_index_on_reading && state_->folds_index() &&
      !index_->shared_path().empty()) {
    // git folds up the shared file as it reads it, and can lose by that what the other counts on.
    return Error{ErrorCode::kUnsupported, repository_.index_path + ": a sparse and split index"};
  }
  for (const uint32_t gitlink : index_->gitlinks()) {
    // As `git mv` made them before it refused to.
    if (const std::string path = index_->path(gitlink); index_->find_directory(path)) {
      return Error{ErrorCode::kUnsupported, path + ": a submodule with other entries below it"};
    }
  }
  if (state_->cones_are_unreadable()) {
    return Error{ErrorCode::kUnsupported,
                 repository_.git_dir + "/info/sparse-checkout: git complains about its patterns"};
  }
  if (state_->settings().ignore_case && index_was_sparse()) {
    // What hides behind another spelling depends on when git expands its index.
    return Error{ErrorCode::kUnsupported,
                 repository_.index_path + ": a sparse index, and core.ignoreCase is set"};
  }
  if (conversions_differ && scanned_) compare_again();
  return {};
}

std::vector<std::string> WorktreeModel::metadata_files() const {
  std::vector<std::string> files = {repository_.index_path, repository_.git_dir + "/HEAD"};
  auto add = [&files](const std::vector<std::string>& more) {
    files.insert(files.end(), more.begin(), more.end());
  };
  if (state_) add(state_->files());
  if (config_error_) add(config_error_files_.paths());
  add(shared_index_files_.paths());
  add(submodule_files_.paths());
  add(branch_files_.paths());
  add(delegated_files_.paths());
  add(answer_files_.paths());
  for (const auto& [position, known] : submodules_) add(known.files.paths());
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  std::erase(files, "");
  return files;
}

// --- Scan and update
// ---------------------------------------------------------------------------------------------

void WorktreeModel::drain() {
  if (options_.gate) options_.gate->drain();
  if (!options_.watcher) return;
  Batch batch = options_.watcher->drain();
  if (batch.empty()) return;
  ++activity_;
  if (since_ == std::chrono::steady_clock::time_point{}) since_ = batch.since();
  watches_lost_ |= batch.watches_lost();
  if (!batch.desynced().empty()) return distrust(batch.desynced());
  pend(std::move(batch));
}

void WorktreeModel::distrust(const std::string& reason) {
  ++activity_;
  if (desynced_.empty()) desynced_ = reason;
  (void)pending_.take();
}

bool WorktreeModel::sweep(uint64_t limit, const std::function<bool()>& interrupted) {
  if (!scanned_ || !desynced_.empty()) return false;
  if (!delegated_.empty()) {
    ++rounds_by_git_;
    git_outputs_hold_ = false;
    if (options_.gate) options_.gate->reset();
    return true;
  }
  const bool found = tree_->sweep(limit, interrupted);
  ask_filters();
  const uint64_t rounds = tree_->sweep_progress().rounds;
  // The files around the worktree have their turn at the end of a round.
  if (std::exchange(rounds_swept_, rounds) != rounds && options_.gate) options_.gate->reset();
  return found;
}

WorktreeTree::SweepProgress WorktreeModel::sweep_progress() const {
  WorktreeTree::SweepProgress progress;
  if (delegated_.empty()) progress = tree_->sweep_progress();
  progress.rounds += rounds_by_git_;
  return progress;
}

void WorktreeModel::pend(Batch batch) {
  // Otherwise a scan is due, and covers what was marked.
  if (desynced_.empty()) pending_.merge(std::move(batch));
  if (const std::string reason = pending_.desynced(); !reason.empty()) distrust(reason);
}

// As little of it as will do.
Result<void> WorktreeModel::rescan_tree(const WorktreeTree::ScanControl& control) {
  // A file system that was away and is back looks as it did, and took the watches with it.
  watches_lost_ |= !options_.mounts_changed || options_.mounts_changed();
  const bool as_scanned = !settings_differ_ && refreshed_.empty();
  if (scanned_ && !watches_lost_ && as_scanned && &tree_->index() == index_.get()) {
    RESIDENT_TRY(const bool done, tree_->rescan(control));
    if (done) return {};
    progress_.files_seen = 0;
  }
  RESIDENT_CHECK(tree_->scan(index_, state_->rules(), state_->settings(), control));
  watches_lost_ = false;
  return {};
}

Result<void> WorktreeModel::scan_tree(const WorktreeTree::ScanControl& control) {
  progress_.files_seen = 0;
  drain();
  // What happened before the scan begins is in the scan, if it comes to its end.
  Batch before = pending_.take();
  // Attributes files can have changed without an event.
  set_content_rules();
  content_.filters().drop_all(tasks_);
  staged_differs_ = true;
  scanning_ = true;
  const Stopwatch scanning;
  Result<void> scanned = rescan_tree(control);
  scanning_ = false;
  if (!options_.watcher) scan_time_ = scanning.elapsed();
  if (!scanned.ok()) {
    pend(std::move(before));
    return scanned;
  }
  scanned_ = true;
  index_is_new_ = settings_differ_ = false;
  refreshed_ = {};
  rows_differ_ = gitlinks_differ_ = true;
  rounds_swept_ = tree_->sweep_progress().rounds;
  desynced_.clear();
  return {};
}

Result<void> WorktreeModel::scan(const std::atomic<bool>* cancelled,
                                 const std::function<void()>& tick) {
  const WorktreeTree::ScanControl control{&progress_.files_seen, cancelled, tick, false};
  const bool other_files =
      tasks_.runs_in_place() ? delegated_files_.changed(fs_) : delegated_files_.differs(fs_);
  if (config_wanted_ == 0 && other_files) record_delegation_files();
  Result<void> result = scan_ourselves(control);
  if (!result.ok() && result.error().code == ErrorCode::kUnsupported) {
    result = delegate(std::move(result).error(), control);
  }
  if (!result.ok() && result.error().code == ErrorCode::kCancelled) return result;
  if (!result.ok() && result.error().code == ErrorCode::kPending) {
    if (!delegated_.empty()) distrust("git is asked again");
    return result;
  }
  failure_.reset();
  if (!result.ok()) failure_ = result.error();
  return result;
}

// Without git, also where it answered so far.
Result<void> WorktreeModel::scan_ourselves(const WorktreeTree::ScanControl& control) {
  RESIDENT_CHECK(refresh_metadata());
  // It may be what only git can answer for.
  if (config_wanted_ != 0) RESIDENT_CHECK(check_known());
  RESIDENT_CHECK(scan_tree(control));
  RESIDENT_CHECK(finish());
  delegated_files_ = {};
  if (delegated_.empty()) return {};
  delegated_.clear();
  git_outputs_.forget();
  answer_files_ = {};
  gate_generation_ = 0;
  note_untracked(untracked_by_git_, tree_->untracked());
  untracked_by_git_.clear();
  return {};
}

Result<void> WorktreeModel::update() {
  // Before events are: what happened since git was asked is looked at after its answer.
  (void)tasks_.deliver();
  drain();
  if (scanned_ && !root_is_there()) {
    gone_ = true;
    failure_ = Error{ErrorCode::kNotFound, repository_.worktree + ": the worktree was removed"};
    return *failure_;
  }
  Result<void> result = take_in();
  if (result.ok() && delegated_.empty()) delegated_files_ = {};
  if (!result.ok() && result.error().code == ErrorCode::kUnsupported) {
    result = delegate(std::move(result).error(), {});
  }
  if (result.ok() || result.error().code != ErrorCode::kPending) {
    failure_.reset();
    if (!result.ok()) failure_ = result.error();
  }
  tidy_gate();
  return result;
}

bool WorktreeModel::root_is_there() {
  return unchanged(options_.gate, root_coverage_, {repository_.worktree},
                   [this](size_t) { return tree_->root_is_there(); });
}

// Where other files count than before, what was watched for the old ones is let go.
void WorktreeModel::tidy_gate() {
  if (!options_.gate || options_.gate->generation() == gate_generation_) return;
  std::vector<std::string> files = metadata_files();
  if (files != gated_files_) {
    std::vector<std::string> gone;
    std::set_difference(gated_files_.begin(), gated_files_.end(), files.begin(), files.end(),
                        std::back_inserter(gone));
    gated_files_ = std::move(files);
    options_.gate->release(gone);
  }
  // Whoever waits for an event gets one even of what was read again just now, or not at all.
  (void)options_.gate->cover(gated_files_);
  gate_generation_ = options_.gate->generation();
}

Result<void> WorktreeModel::take_in() {
  if (!delegated_.empty()) return take_in_for_git();
  for (int tries = 1;; ++tries) {
    RESIDENT_CHECK(refresh_metadata());
    const uint64_t before = tree_->work().lstats;
    RESIDENT_CHECK(take_in_worktree());
    // What took long to look at can be history by now: git writes HEAD after the index, and between
    // these two everything is staged.
    const bool took_long = tree_->work().lstats - before >= kManyLooks;
    if (!took_long || tries == kMostTries || !tree_->sparse_present().empty()) return finish();
    drain();
  }
}

// At what events marked, and at what no event tells of. False: a scan is due.
bool WorktreeModel::look_at_pending() {
  if (!tree_->apply(pending_.take())) {
    distrust("the root could not be listed");
    return false;
  }
  tree_->poll();
  tree_->poll_linked();
  return true;
}

// What happened in the worktree, and another index.
Result<void> WorktreeModel::take_in_worktree() {
  // With core.ignoreCase a path of the index can hide any untracked one.
  const bool hides_others = scanned_ && index_is_new_ && state_->settings().ignore_case &&
                            !have_same_paths(tree_->index(), *index_);
  if (!scanned_ || !desynced_.empty() || settings_differ_ || hides_others) {
    std::atomic<bool> cancelled{false};
    std::function<void()> tick;
    if (options_.tick) tick = [&] { cancelled = options_.tick(); };
    return scan_tree({&progress_.files_seen, &cancelled, tick, false});
  }
  if (std::exchange(index_is_new_, false)) {
    tree_->rebind(index_);
    rows_differ_ = gitlinks_differ_ = true;
    drop_filters_of_others();
  }
  tree_->reconsider(std::exchange(refreshed_, {}), pending_);
  if (!look_at_pending()) return take_in_worktree();
  tree_->recheck_nested();
  if (tree_->take_attributes_touched()) {
    set_content_rules();
    compare_again();
    // Whether a file is text decides what it resembles.
    staged_differs_ = true;
  }
  return {};
}

// Of a sparse index, what is on disk or differs from HEAD has to be known file by file.
Result<void> WorktreeModel::expand_index(std::vector<uint32_t> directories) {
  Result<std::shared_ptr<const Index>> expanded = expand_from_trees(
      *index_, directories, [this](const ObjectId& id) { return state_->objects().read_tree(id); });
  if (!expanded.ok()) return for_git(std::move(expanded).error());
  index_ = std::move(expanded).value();
  refreshable_index_.reset();
  index_is_new_ = true;
  progress_.files_expected = index_->entries().size();
  set_content_rules();
  return {};
}

// Some of what changed is below a directory that the index has as one entry on disk.
bool WorktreeModel::was_sparse_at(const std::vector<PathChange>& changes) const {
  if (!index_was_sparse()) return false;
  return std::any_of(changes.begin(), changes.end(), [this](const PathChange& change) {
    return std::any_of(
        sparse_as_read_->begin(), sparse_as_read_->end(), [&](const std::string& directory) {
          return change.path.starts_with(directory) && change.path[directory.size()] == '/';
        });
  });
}

// Everything that follows from the tree, the index and HEAD.
Result<void> WorktreeModel::finish() {
  if (staged_differs_) RESIDENT_CHECK(diff_head());
  while (index_is_new_ || !tree_->sparse_present().empty()) {
    const std::set<uint32_t>& present = tree_->sparse_present();
    // Positions in the index that the tree has.
    if (!index_is_new_) RESIDENT_CHECK(expand_index({present.begin(), present.end()}));
    index_is_new_ = false;
    tree_->rebind(index_);
    rows_differ_ = gitlinks_differ_ = true;
  }
  ask_filters();
  RESIDENT_CHECK(update_submodules());
  RESIDENT_CHECK(update_rows());
  // A one-shot scan computes the branch only for a question that asks for it.
  return options_.watcher ? update_branch() : Result<void>();
}

Result<void> WorktreeModel::diff_head() {
  const TreeReader read_tree = [this](const ObjectId& id) {
    return state_->objects().read_tree(id);
  };
  const auto compare = [&] {
    return diff_tree_index(state_->head_tree(), *index_, read_tree,
                           {.read_root = state_->objects().has_replacements()});
  };
  Result<TreeIndexDiff> diff = compare();
  if (diff.ok() && !state_->git_rules().tells_files_of_sparse_directories &&
      (!diff->differing_sparse.empty() || was_sparse_at(diff->changes))) {
    return Error{ErrorCode::kUnsupported,
                 repository_.index_path + ": HEAD differs below sparse directories"};
  }
  while (diff.ok() && !diff->differing_sparse.empty()) {
    RESIDENT_CHECK(expand_index(std::move(diff->differing_sparse)));
    diff = compare();
  }
  if (!diff.ok()) return for_git(std::move(diff).error());
  const PathLimit limit = limit_of(options_.pathspec);
  staged_.raw = limit.within(*index_, std::move(diff->changes));
  RESIDENT_TRY(staged_.unmerged, limit.within(*index_, std::move(diff->unmerged)));
  staged_.git_warns = false;
  Result<std::vector<PathChange>> renamed =
      with_renames(staged_.raw, staged_.unmerged, StatusQuery{}, staged_.git_warns);
  if (!renamed.ok()) return for_git(std::move(renamed).error());
  staged_.renamed.clear();
  for (PathChange& change : *renamed) {
    std::string path = change.path;
    staged_.renamed.emplace_hint(staged_.renamed.end(), std::move(path), std::move(change));
  }
  staged_differs_ = false;
  rows_differ_ = gitlinks_differ_ = true;
  return {};
}

}  // namespace resident
