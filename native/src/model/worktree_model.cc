#include "model/worktree_model.h"

#include <algorithm>
#include <utility>

#include "base/stopwatch.h"
#include "diff/sparse_directories.h"
#include "diff/tree_index_diff.h"
#include "model/untrusted_submodule.h"
#include "os/process.h"

namespace resident {

namespace {

// Cancels a scan when the owner's tick returns true.
class ScanCancellation {
 public:
  explicit ScanCancellation(const std::function<bool()>& tick) {
    if (tick) tick_ = [this, &tick] { cancelled_ = tick(); };
  }
  WorktreeTree::ScanControl control(std::atomic<uint64_t>* files_seen) const {
    return {files_seen, &cancelled_, tick_, false};
  }

 private:
  std::atomic<bool> cancelled_{false};
  std::function<void()> tick_;
};

// git may have the missing object: in a partial clone it fetches it.
Error for_git(Error error) {
  if (error.code == ErrorCode::kNotFound) error.code = ErrorCode::kUnsupported;
  return error;
}

}  // namespace

WorktreeModel::WorktreeModel(FileSystem& fs, Repository repository, const Options& options)
    : fs_(fs),
      repository_(std::move(repository)),
      options_(options),
      git_(options.git, options.git_answered, options.now, repository_.worktree),
      place_(fs_, repository_, options_.gate, git_, options_.owner_follows),
      state_(std::make_unique<RepositoryState>(fs_, repository_, options_.gate, git_)),
      index_(fs_, repository_, options_.index_ahead),
      content_({fs_, repository_.worktree, repository_.algorithm, options_.trusted}),
      limit_(ModelView::path_limit(content_, options_.pathspec)),
      submodules_({fs_, repository_, options_.gate, git_,
                   [this]() -> const Config& { return state_->config(); }, untrusted_scan(),
                   [this](const std::string& path) {
                     // git may answer for the worktree because of this failure.
                     if (is_delegated()) mark_desynced(path + " can be read again");
                   },
                   [this](const std::string& path) { journal_.record_submodule(path); }}),
      rows_(options_.pathspec),
      // If no call waits for a program, no call waits for a count either.
      branch_(options_.gate, options_.watcher && options_.git && options_.git_answered),
      prompt_(options_.gate, branch_.counts_in_steps()),
      delegate_(fs_, repository_.algorithm, options_.gate, git_),
      gated_files_(options_.gate),
      pending_(options.pending) {
  content_.filters().tell_as_git(options_.filters_told_as_git);
  tree_ = std::make_unique<WorktreeTree>(WorktreeTree::Setup{
      fs_, repository_.worktree, repository_.git_dir, options_.watcher, content_, options_.threads,
      [this](const Index& index, uint32_t position) {
        return state_->objects().read_blob(index.id(position));
      },
      limit_, options_.untracked, options_.once, options_.mounted_below,
      options_.watcher ? &journal_ : nullptr});
}

WorktreeModel::~WorktreeModel() = default;

// Empty: git is asked for a submodule's status.
KnownSubmodules::StartScan WorktreeModel::untrusted_scan() {
  if (options_.trusted) return {};
  return [this](const std::string& path) {
    Options options;
    options.threads = options_.threads;
    options.trusted = false;
    options.git = options_.git;
    options.git_answered = options_.git_answered;
    options.now = options_.now;
    return std::make_unique<UntrustedSubmodule>(fs_, path, std::move(options), git_);
  };
}

ModelView WorktreeModel::view() {
  return {fs_, repository_, *state_, index_, *index_, tree_->state(), content_, limit_};
}

// --- Changes in the worktree

void WorktreeModel::drain() {
  if (options_.gate) options_.gate->drain();
  if (!options_.watcher) return;
  if (!options_.watcher->is_exact()) {
    if (const Result<void> synced = options_.watcher->sync(); !synced.ok()) {
      mark_desynced(synced.error().message);
    }
  }
  Batch batch = options_.watcher->drain();
  if (batch.empty()) return;
  ++activity_;
  deltas_.record_event_time(batch.since());
  watches_lost_ |= batch.watches_lost();
  if (!batch.desynced().empty()) return mark_desynced(batch.desynced());
  pend(std::move(batch));
}

void WorktreeModel::mark_desynced(const std::string& reason) {
  ++activity_;
  if (desynced_.empty()) desynced_ = reason;
  (void)pending_.take();
  journal_.restart();
}

void WorktreeModel::pend(Batch batch) {
  // If desynced, a scan is due, and it covers these marks.
  if (desynced_.empty()) pending_.merge(std::move(batch));
  if (const std::string reason = pending_.desynced(); !reason.empty()) mark_desynced(reason);
}

bool WorktreeModel::sweep(uint64_t limit, const std::function<bool()>& interrupted) {
  if (!scanned_ || !desynced_.empty()) return false;
  if (is_delegated()) {
    ++rounds_by_git_;
    delegate_.invalidate_outputs();
    if (options_.gate) options_.gate->reset();
    return true;
  }
  const bool found = tree_->sweep(limit, interrupted);
  ask_filters();
  const uint64_t rounds = tree_->sweep_progress().rounds;
  // The files around the worktree are checked at the end of a round.
  if (std::exchange(rounds_swept_, rounds) != rounds && options_.gate) options_.gate->reset();
  return found;
}

WorktreeTree::SweepProgress WorktreeModel::sweep_progress() const {
  WorktreeTree::SweepProgress progress;
  if (!is_delegated()) progress = tree_->sweep_progress();
  progress.rounds += rounds_by_git_;
  return progress;
}

Result<void> WorktreeModel::update(Poll poll) {
  wanted_poll_ = poll;
  if (asked_at_) {
    const bool is_known = polled_everything_.began >= *asked_at_;
    wanted_poll_ = is_known ? Poll::kNothing : Poll::kEverything;
  }
  // Deliver answers before draining events. Changes since git was asked are then checked after its
  // answer.
  (void)git_.tasks().deliver();
  drain();
  if (scanned_ && !root_is_there()) {
    gone_ = true;
    failure_ = Error{ErrorCode::kNotFound, repository_.worktree + ": the worktree was removed"};
    return *failure_;
  }
  Result<void> result = apply_changes();
  if (result.ok() && !is_delegated()) delegate_.forget_files();
  if (!result.ok() && result.error().code == ErrorCode::kUnsupported) {
    result = delegate(std::move(result).error(), {});
  }
  if (result.ok() || result.error().code != ErrorCode::kPending) {
    failure_.reset();
    if (!result.ok()) failure_ = result.error();
  }
  gated_files_.update([this] { return metadata_files(); });
  return result;
}

bool WorktreeModel::root_is_there() {
  return unchanged(options_.gate, root_coverage_, {repository_.worktree},
                   [this](size_t) { return tree_->state().root_is_there(); });
}

// One pass. Files can change under it: the owner updates again after a slow one.
Result<void> WorktreeModel::apply_changes() {
  if (is_delegated()) return apply_changes_for_git();
  RESIDENT_CHECK(refresh_metadata());
  RESIDENT_CHECK(apply_worktree_changes());
  return finish();
}

// Checks the paths that events marked, and polls. False: a scan is due.
bool WorktreeModel::apply_pending_paths() {
  if (!tree_->apply(pending_.take())) {
    mark_desynced("the root directory cannot be listed");
    return false;
  }
  poll();
  tree_->poll_linked();
  return true;
}

// A cancelled poll is still due.
void WorktreeModel::poll() {
  const Poll wanted = std::exchange(wanted_poll_, Poll::kNothing);
  if (wanted == Poll::kNothing || !tree_->state().polls()) return;
  if (options_.tick && options_.tick()) return;
  const LookStart start = begin_look();
  const ScanCancellation end(options_.tick);
  if (tree_->poll(wanted, end.control(nullptr))) record_verification(wanted, start);
}

WorktreeModel::LookStart WorktreeModel::begin_look() const {
  return {options_.now(), process_cpu_time()};
}

void WorktreeModel::record_verification(Poll scope, const LookStart& start) {
  const Polled polled{start.at, options_.now() - start.at, process_cpu_time() - start.cpu};
  if (scope == Poll::kEverything) polled_everything_ = polled;
  if (scope == Poll::kNames) polled_names_ = polled;
  if (scope == Poll::kRecent) polled_recent_ = polled;
  // A wider scope covers the narrower scopes.
  polled_recent_.began = start.at;
  if (scope != Poll::kRecent) polled_names_.began = start.at;
}

void WorktreeModel::bind_tree() {
  tree_->rebind(index_.get());
  ++input_versions_.binding;
}

// Applies changes in the worktree, and a changed index.
Result<void> WorktreeModel::apply_worktree_changes() {
  // With core.ignoreCase, an index path can hide any untracked path.
  const bool hides_others = scanned_ && index_.is_new() && state_->settings().ignore_case &&
                            !have_same_paths(*tree_->state().index, *index_);
  if (!scanned_ || !desynced_.empty() || settings_differ_ || hides_others) {
    const ScanCancellation end(options_.tick);
    return scan_tree(end.control(&progress_.files_seen));
  }
  if (index_.consume_is_new()) {
    bind_tree();
    drop_filters_of_others();
  }
  tree_->reconsider(index_.consume_refreshed(), pending_);
  if (!apply_pending_paths()) return apply_worktree_changes();
  tree_->recheck_nested();
  if (tree_->consume_attributes_touched()) {
    // Content comparisons may have new results without a new stat.
    journal_.restart();
    set_content_rules();
    compare_again();
    // The similarity of files depends on whether they are text.
    ++input_versions_.own_attributes;
  }
  if (!staged_.knows_attributes(fs_)) ++input_versions_.own_attributes;
  // In rename detection, git takes such a file's content for the content of the index entry.
  if (tree_->consume_rewritten_within_second()) ++input_versions_.rewritten;
  return {};
}

// --- Scans

// Rescans in place if watches and index still match, else in full.
Result<void> WorktreeModel::rescan_tree(const WorktreeTree::ScanControl& control) {
  // A file system that was unmounted and mounted again looks unchanged, but its watches are lost.
  watches_lost_ |= !options_.mounts_changed || options_.mounts_changed();
  const bool as_scanned = !settings_differ_ && index_.refreshed().empty();
  if (scanned_ && !watches_lost_ && as_scanned &&
      tree_->state().index.get() == index_.get().get()) {
    RESIDENT_TRY(const bool done, tree_->rescan(control));
    if (done) return {};
    progress_.files_seen = 0;
  }
  RESIDENT_CHECK(tree_->scan(index_.get(), state_->rules(), state_->settings(), control));
  watches_lost_ = false;
  return {};
}

Result<void> WorktreeModel::scan_tree(const WorktreeTree::ScanControl& control) {
  progress_.files_seen = 0;
  drain();
  // The scan covers all earlier changes if it completes.
  Batch before = pending_.take();
  // Attributes files can change without an event.
  set_content_rules();
  content_.filters().drop_all(git_.tasks());
  scanning_ = true;
  const LookStart start = begin_look();
  const Stopwatch scanning;
  Result<void> scanned = rescan_tree(control);
  scanning_ = false;
  if (!options_.watcher) scan_time_ = scanning.elapsed();
  if (!scanned.ok()) {
    pend(std::move(before));
    return scanned;
  }
  journal_.restart();
  scanned_ = true;
  record_verification(Poll::kEverything, start);
  settings_differ_ = false;
  index_.mark_applied();
  ++input_versions_.scan;
  rounds_swept_ = tree_->sweep_progress().rounds;
  desynced_.clear();
  return {};
}

Result<void> WorktreeModel::scan(const std::atomic<bool>* cancelled,
                                 const std::function<void()>& tick) {
  const WorktreeTree::ScanControl control{&progress_.files_seen, cancelled, tick, false};
  if (!config_question().wants_newer() && delegate_.files_changed()) record_delegation_files();
  Result<void> result = scan_ourselves(control);
  if (!result.ok() && result.error().code == ErrorCode::kUnsupported) {
    result = delegate(std::move(result).error(), control);
  }
  if (!result.ok() && result.error().code == ErrorCode::kCancelled) return result;
  if (!result.ok() && result.error().code == ErrorCode::kPending) {
    if (is_delegated()) mark_desynced("git is being asked again");
    return result;
  }
  failure_.reset();
  if (!result.ok()) failure_ = result.error();
  return result;
}

// --- Derived state

// Expands a sparse index at the directories that exist on disk or differ from HEAD. Their files
// must be known one by one.
Result<void> WorktreeModel::expand_index(std::vector<uint32_t> directories) {
  Result<std::shared_ptr<const Index>> expanded = expand_from_trees(
      *index_, directories, [this](const ObjectId& id) { return state_->objects().read_tree(id); });
  if (!expanded.ok()) return for_git(std::move(expanded).error());
  index_.replace_by_unfolded(std::move(expanded).value());
  progress_.files_expected = index_->entries().size();
  set_content_rules();
  return {};
}

// Updates everything that is derived from the tree, the index and HEAD.
Result<void> WorktreeModel::finish() {
  if (!staged_.is_current(input_versions_)) RESIDENT_CHECK(diff_head());
  while (index_.is_new() || !tree_->state().sparse_present.empty()) {
    const std::set<uint32_t>& present = tree_->state().sparse_present;
    // The positions are valid only in the tree's index.
    if (!index_.is_new()) RESIDENT_CHECK(expand_index({present.begin(), present.end()}));
    (void)index_.consume_is_new();
    bind_tree();
  }
  ask_filters();
  return update_parts();
}

Result<void> WorktreeModel::diff_head() {
  const auto compare = [this] {
    const TreeReader read_tree = [this](const ObjectId& id) {
      return state_->objects().read_tree(id);
    };
    return diff_tree_index(state_->head_tree(), *index_, read_tree);
  };
  Result<TreeIndexDiff> diff = compare();
  // True if the change is below a directory that is a single entry in the index file.
  const auto is_below_sparse = [this](const PathChange& change) {
    return index_.was_sparse_at(change.path);
  };
  if (diff.ok() && !state_->git_rules().tells_files_of_sparse_directories &&
      (!diff->differing_sparse.empty() ||
       std::any_of(diff->changes.begin(), diff->changes.end(), is_below_sparse))) {
    return Error{ErrorCode::kUnsupported,
                 repository_.index_path + ": HEAD differs below sparse directories"};
  }
  while (diff.ok() && !diff->differing_sparse.empty()) {
    RESIDENT_CHECK(expand_index(std::move(diff->differing_sparse)));
    diff = compare();
  }
  if (!diff.ok()) return for_git(std::move(diff).error());
  Result<void> taken = staged_.take(view(), input_versions_, *std::move(diff));
  if (!taken.ok()) return for_git(std::move(taken).error());
  return {};
}

Result<void> WorktreeModel::update_parts() {
  Touched touched = tree_->consume_touched();
  deltas_.mark_untracked(touched.untracked);
  if (touched.ignore_rules) deltas_.mark_ignore_rules();
  rows_.mark_touched(touched.entries);
  const ModelView view = this->view();
  const bool unreported = !options_.watcher || tree_->state().polls();
  RESIDENT_CHECK(
      submodules_.update(view, input_versions_, std::move(touched.submodules), unreported));
  rows_.mark_touched(submodules_.consume_touched());
  RESIDENT_CHECK(rows_.update(sources(view), input_versions_));
  // A one-shot scan reads the branch only for a question that asks for it.
  if (!options_.watcher) return {};
  RESIDENT_CHECK(update_branch(view));
  if (wants_details_) update_details(view);
  return {};
}

Result<void> WorktreeModel::update_branch(const ModelView& view) {
  RESIDENT_CHECK(branch_.update(view, input_versions_));
  if (branch_.is_counting()) options_.git_answered();
  return {};
}

Result<void> WorktreeModel::count_branch(const ModelView& view) {
  if (!branch_.is_counting()) RESIDENT_CHECK(update_branch(view));
  if (!branch_.is_counting()) return {};
  return Error{ErrorCode::kPending, "the commits ahead and behind are being counted"};
}

// --- Files with an external filter

void WorktreeModel::ask_filters() {
  // Without background git: maximum number of questions about a file that changes while its filter
  // runs.
  constexpr int kMaxFilterTries = 3;
  FilterQuestions& filters = content_.filters();
  const auto find_program = [this](const std::string& filter) {
    return content_.filter_program(filter);
  };
  const auto look = [this](const std::string& path) { recheck_filtered_file(path); };
  for (int tries = 0; tries < kMaxFilterTries && !filters.empty(); ++tries) {
    filters.ask_git(git_.tasks(), repository_.worktree, find_program, look);
    if (!git_.runs_in_place()) return;
    (void)git_.tasks().deliver();
  }
}

Result<void> WorktreeModel::ask_filters_again(
    const std::function<bool(const std::string&)>& counts) {
  // A model without a watcher has just asked. With background git, only a question waits for git.
  if (!options_.watcher || (!git_.question() && !git_.runs_in_place())) return {};
  const std::vector<std::string> outdated =
      content_.filters().take_outdated(fs_, git_.since(), counts);
  if (outdated.empty()) return {};
  for (const std::string& path : outdated) tree_->compare_again(path);
  return finish();
}

// If a scan is due, it checks every file anyway.
void WorktreeModel::recheck_filtered_file(const std::string& path) {
  if (!scanned_ || !desynced_.empty() || is_delegated()) return;
  // Do not reuse an earlier comparison for this answer.
  tree_->compare_again(path);
  // The file has changed meanwhile.
  if (content_.filters().is_asked(path)) (void)tree_->recheck(path);
}

// Call after attributes or filters changed.
void WorktreeModel::compare_again() {
  const std::vector<std::string> paths = content_.filters().paths();
  content_.filters().drop_all(git_.tasks());
  tree_->compare_all_again();
  for (const std::string& path : paths) tree_->recheck_content(path);
}

// Drops questions about paths that the index no longer has.
void WorktreeModel::drop_filters_of_others() {
  for (const std::string& path : content_.filters().paths()) {
    if (!index_->find_path(path)) content_.filters().drop(path);
  }
}

}  // namespace resident
