#include "model/tree_freshness.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/stopwatch.h"
#include "config/daemon_stand_in.h"

namespace resident {

namespace {

// After this many lstat() calls in one update, the inputs are refreshed again.
constexpr uint64_t kManyLooks = 600;
// Maximum number of successive updates that ask the owner to update again.
constexpr int kMaxStaleUpdates = 2;

// Cancels a scan when the owner's tick returns true.
class ScanCancellation {
 public:
  explicit ScanCancellation(const std::function<bool()>& tick) {
    if (tick) tick_ = [this, &tick] { cancelled_ = tick(); };
  }
  ScanControl control() const { return {nullptr, &cancelled_, tick_, false}; }

 private:
  std::atomic<bool> cancelled_{false};
  std::function<void()> tick_;
};

TreeState::Setup tree_setup(ModelInputs& inputs, ChangeJournal& journal) {
  const ModelOptions& options = inputs.options;
  return {inputs.fs,
          inputs.repository.worktree,
          inputs.repository.git_dir,
          options.watcher,
          inputs.content,
          options.threads,
          [&inputs](const Index& index, uint32_t position) {
            return inputs.state.objects().read_blob(index.id(position));
          },
          inputs.limit,
          options.untracked,
          options.once,
          options.mounted_below,
          options.watcher ? &journal : nullptr};
}

}  // namespace

TreeFreshness::TreeFreshness(ModelInputs& inputs, DeltaMaker& deltas)
    : inputs_(inputs),
      deltas_(deltas),
      events_(inputs.options, deltas, journal_),
      poll_log_(inputs.options.now),
      tree_(tree_setup(inputs, journal_)),
      filters_(inputs, tree_, [this] { return is_complete(); }) {
}

// --- Steps of an update

Result<void> TreeFreshness::check_root() {
  const std::string& root = inputs_.repository.worktree;
  if (!is_scanned_ || unchanged(inputs_.options.gate, root_coverage_, {root},
                                [this](size_t) { return tree().root_is_there(); })) {
    return {};
  }
  gone_ = true;
  return Error{ErrorCode::kNotFound, root + ": the worktree was removed"};
}

Result<void> TreeFreshness::refresh_inputs() {
  RESIDENT_CHECK(inputs_.place.check());
  RepositoryState& state = inputs_.state;
  bool conversions_differ = !state.is_loaded();
  if (!state.is_loaded()) {
    RESIDENT_CHECK(state.load(inputs_.options.config));
    settings_differ_ = true;
  } else {
    RESIDENT_TRY(const RepositoryState::Changes changes, state.refresh());
    apply_repository_changes(changes);
    conversions_differ = changes.attributes || changes.config;
  }
  if (conversions_differ) inputs_.git.set_asks_monitor(!stands_in_for_daemon(state.config()));
  RESIDENT_CHECK(refresh_index());
  if (conversions_differ || inputs_.index.has_untaken()) inputs_.set_content_rules();
  RESIDENT_CHECK(inputs_.check_repository());
  if (conversions_differ && is_scanned_) filters_.compare_again();
  return {};
}

void TreeFreshness::apply_repository_changes(const RepositoryState::Changes& changes) {
  if (changes.head) deltas_.mark_content();
  if (changes.rules && is_scanned_) tree_.set_rules(inputs_.state.rules());
  settings_differ_ |= changes.settings;
  // git may now check files by other rules, with other results.
  if (changes.settings || changes.config || changes.rules || changes.attributes) journal_.restart();
  InputVersions& versions = inputs_.versions;
  versions.head += changes.head;
  versions.config += changes.config;
  versions.rules += changes.rules;
  versions.attributes += changes.attributes;
}

Result<void> TreeFreshness::refresh_index() {
  CurrentIndex& index = inputs_.index;
  if (!index.may_differ(inputs_.options.gate)) return {};
  const bool tree_is_behind = !index.refreshed().empty();
  // With core.ignoreCase, another path can hide any untracked path.
  const bool may_move = is_scanned_ && !is_watch_only_ && tree().index.get() == index.get().get() &&
                        !inputs_.state.settings().ignore_case;
  RESIDENT_TRY(const CurrentIndex::Found found, index.read(may_move));
  if (found == CurrentIndex::Found::kSame) return {};
  ++inputs_.versions.index;
  deltas_.mark_content();
  progress_.files_expected = index->entries().size();
  if (found == CurrentIndex::Found::kOther) settings_differ_ |= tree_is_behind;
  if (found == CurrentIndex::Found::kMoved) {
    tree_.renumber(index.refreshed().moves);
    filters_.drop_removed();
  }
  return {};
}

Result<void> TreeFreshness::apply_changes() {
  const uint64_t before = tree().work.lstats;
  RESIDENT_CHECK(apply_known_changes());
  const bool took_long = tree().work.lstats - before >= kManyLooks;
  return took_long && tree().sparse_present.empty() ? refresh_after_long_check() : Result<void>();
}

// HEAD may be stale now. git writes HEAD after the index, and between the two writes every file
// seems to be staged.
Result<void> TreeFreshness::refresh_after_long_check() {
  // An update has to end even while files keep changing.
  if (stale_updates_ == kMaxStaleUpdates) {
    stale_updates_ = 0;
    return {};
  }
  events_.drain();
  RESIDENT_CHECK(refresh_inputs());
  if (!inputs_.index.has_untaken() && !settings_differ_ && events_.desynced().empty()) {
    stale_updates_ = 0;
    return {};
  }
  ++stale_updates_;
  if (inputs_.options.git_answered) inputs_.options.git_answered();
  return Error{ErrorCode::kPending, "the index changed while files were checked"};
}

Result<void> TreeFreshness::apply_known_changes() {
  CurrentIndex& index = inputs_.index;
  // With core.ignoreCase, an index path can hide any untracked path.
  const bool hides_others = is_scanned_ && index.is_new() && inputs_.state.settings().ignore_case &&
                            !have_same_paths(*tree().index, *index);
  if (!is_scanned_ || !events_.desynced().empty() || settings_differ_ || hides_others) {
    const ScanCancellation end(inputs_.options.tick);
    return scan(end.control());
  }
  if (index.is_new()) {
    bind();
    filters_.drop_removed();
  }
  tree_.reconsider(index.consume_refreshed(), events_.batch());
  if (!apply_pending_paths()) return apply_known_changes();
  tree_.recheck_nested();
  if (tree_.consume_attributes_touched()) {
    // Content comparisons may have new results without a new stat.
    journal_.restart();
    inputs_.set_content_rules();
    filters_.compare_again();
    // The similarity of files depends on whether they are text.
    ++inputs_.versions.own_attributes;
  }
  // In rename detection, git takes such a file's content for the content of the index entry.
  if (tree_.consume_rewritten_within_second()) ++inputs_.versions.rewritten;
  return {};
}

bool TreeFreshness::apply_pending_paths() {
  if (!tree_.apply(events_.take())) {
    events_.mark_desynced(inputs_.options.watcher->is_recursive()
                              ? "all files are being checked again"
                              : "the root directory cannot be listed");
    return false;
  }
  poll();
  tree_.poll_linked();
  return true;
}

void TreeFreshness::bind() {
  (void)inputs_.index.consume_is_new();
  tree_.rebind(inputs_.index.get());
  ++inputs_.versions.binding;
}

void TreeFreshness::expand_index(std::shared_ptr<const Index> expanded) {
  inputs_.index.replace_by_unfolded(std::move(expanded));
  progress_.files_expected = inputs_.index->entries().size();
  inputs_.set_content_rules();
}

// --- Scans

// Rescans in place if watches and index still match, else in full.
Result<void> TreeFreshness::rescan(const ScanControl& control) {
  const CurrentIndex& index = inputs_.index;
  // A file system that was unmounted and mounted again looks unchanged, but its watches are lost.
  watches_lost_ |= events_.consume_watches_lost();
  watches_lost_ |= !inputs_.options.mounts_changed || inputs_.options.mounts_changed();
  const bool as_scanned = !settings_differ_ && index.refreshed().empty();
  if (is_scanned_ && !watches_lost_ && as_scanned && tree().index.get() == index.get().get()) {
    RESIDENT_TRY(const bool done, tree_.rescan(control));
    if (done) return {};
    progress_.files_seen = 0;
  }
  RESIDENT_CHECK(tree_.scan(index.get(), inputs_.state.rules(), inputs_.state.settings(), control));
  watches_lost_ = false;
  return {};
}

Result<void> TreeFreshness::scan(ScanControl control) {
  progress_.files_seen = 0;
  control.files_seen = &progress_.files_seen;
  events_.drain();
  // The scan covers all earlier changes if it completes.
  Batch before = events_.take();
  // Attributes files can change without an event.
  inputs_.set_content_rules();
  filters_.drop_all();
  is_scanning_ = true;
  const PollLog::Start start = poll_log_.start();
  const Stopwatch scanning;
  Result<void> scanned = rescan(control);
  is_scanning_ = false;
  if (!inputs_.options.watcher) scan_time_ = scanning.elapsed();
  if (!scanned.ok()) {
    events_.put_back(std::move(before));
    return scanned;
  }
  journal_.restart();
  is_scanned_ = true;
  is_watch_only_ = false;
  poll_log_.record(PollScope::kEverything, start);
  events_.record_read(start.at);
  settings_differ_ = false;
  inputs_.index.mark_applied();
  ++inputs_.versions.scan;
  rounds_swept_ = tree_.sweep_progress().rounds;
  events_.end_desync();
  return {};
}

Result<void> TreeFreshness::watch_only(ScanControl control) {
  RESIDENT_TRY(std::shared_ptr<const Index> none,
               Index::load("", {.algorithm = inputs_.repository.algorithm}));
  journal_.restart();
  control.files_seen = &progress_.files_seen;
  control.watch_only = true;
  RESIDENT_CHECK(tree_.scan(std::move(none), {}, {}, control));
  is_scanned_ = true;
  is_watch_only_ = true;
  events_.end_desync();
  (void)events_.take();
  return {};
}

// --- Polls and sweeps

// A cancelled poll is still due.
void TreeFreshness::poll() {
  const PollScope wanted = poll_log_.consume_wanted();
  if (wanted == PollScope::kNothing || !tree().polls()) return;
  const std::function<bool()>& tick = inputs_.options.tick;
  if (tick && tick()) return;
  const PollLog::Start start = poll_log_.start();
  const ScanCancellation end(tick);
  if (tree_.poll(wanted, end.control())) poll_log_.record(wanted, start);
}

bool TreeFreshness::sweep(uint64_t limit, const std::function<bool()>& interrupted) {
  if (!is_scanned_ || !events_.desynced().empty()) return false;
  MetadataGate* const gate = inputs_.options.gate;
  if (is_watch_only_) {
    ++rounds_by_git_;
    if (gate) gate->reset();
    return true;
  }
  const bool found = tree_.sweep(limit, interrupted);
  filters_.ask();
  const uint64_t rounds = tree_.sweep_progress().rounds;
  // The files around the worktree are checked at the end of a round.
  if (std::exchange(rounds_swept_, rounds) != rounds && gate) gate->reset();
  return found;
}

WorktreeTree::SweepProgress TreeFreshness::sweep_progress() const {
  WorktreeTree::SweepProgress progress;
  if (!is_watch_only_) progress = tree_.sweep_progress();
  progress.rounds += rounds_by_git_;
  return progress;
}

// --- What is known

// Polled directories, and files seen through an outside link, change without a step. A config that
// git has yet to report may change everything.
bool TreeFreshness::knows_every_change() const {
  const RepositoryState& state = inputs_.state;
  return inputs_.options.watcher && is_complete() && events_.batch().empty() && !settings_differ_ &&
         !state.awaits_git() && !state.settings().ignore_case && !inputs_.index.has_untaken() &&
         tree().sparse_present.empty() && !tree().polls() && tree().links.beyond() == 0;
}

std::vector<std::string> TreeFreshness::consume_problems() {
  std::vector<std::string> problems = tree_.consume_problems();
  std::move(problems_.begin(), problems_.end(), std::back_inserter(problems));
  problems_.clear();
  if (!inputs_.options.watcher) return problems;
  if (std::string nothing = inputs_.options.watcher->why_nothing(); !nothing.empty()) {
    problems.push_back(std::move(nothing));
  }
  return problems;
}

void TreeFreshness::add_files(std::vector<std::string>& files) const {
  const auto add = [&files](const std::vector<std::string>& more) {
    files.insert(files.end(), more.begin(), more.end());
  };
  add({inputs_.repository.index_path, inputs_.repository.git_dir + "/HEAD"});
  if (inputs_.state.is_loaded()) add(inputs_.state.files());
  add(inputs_.place.files());
  add(inputs_.config_question().files());
  add(inputs_.index.shared_files());
  tree().add_files(files);
}

}  // namespace resident
