#include "model/worktree_model.h"

#include <algorithm>
#include <utility>

namespace resident {

namespace {

// Number of scan attempts before git answers, while the deciding files keep changing.
constexpr int kMaxAttempts = 3;
// Shorter waits are not reported.
constexpr std::chrono::seconds kNoticeable{1};

template <typename T>
bool has_code(const Result<T>& result, ErrorCode code) {
  return !result.ok() && result.error().code == code;
}

}  // namespace

WorktreeModel::WorktreeModel(FileSystem& fs, Repository repository, const Options& options)
    : inputs_(fs, std::move(repository), options),
      freshness_(inputs_, deltas_),
      fallback_({
          .fs = fs,
          .repository = inputs_.repository,
          .gate = options.gate,
          .git = inputs_.git,
          .state = inputs_.state,
          .deltas = deltas_,
          .place_files = [this] { return inputs_.place.files(); },
          .repositories_below = [this]() -> std::optional<std::vector<std::string>> {
            const TreeState& tree = freshness_.tree();
            if (tree.polls() || tree.links.beyond() > 0) return std::nullopt;
            return tree.watches.paths_with_dot_git();
          },
      }),
      computed_(inputs_, freshness_, deltas_),
      gated_files_(options.gate) {
}

// --- Updates

Result<void> WorktreeModel::update(Poll poll) {
  freshness_.poll_log().begin_update(poll);
  // Deliver answers before draining events. Changes since git was asked are then checked after its
  // answer.
  (void)inputs_.git.tasks().deliver();
  freshness_.events().drain();
  if (Result<void> root = freshness_.check_root(); !root.ok()) {
    failure_ = root.error();
    return root;
  }
  Result<void> result = apply_changes();
  if (result.ok()) result = freshness_.events().check();
  if (result.ok() && !is_delegated()) fallback_.forget_files();
  if (has_code(result, ErrorCode::kUnsupported)) {
    result = let_git_answer(std::move(result).error(), {});
  }
  if (!has_code(result, ErrorCode::kPending)) {
    failure_.reset();
    if (!result.ok()) failure_ = result.error();
  }
  gated_files_.update([this] { return metadata_files(); });
  return result;
}

Result<void> WorktreeModel::apply_changes() {
  if (is_delegated()) {
    if (fallback_.may_be_over() || freshness_.is_verifying()) {
      // All earlier answers of git are stale, whatever the scan finds.
      fallback_.forget();
      return scan();
    }
    if (!freshness_.apply_pending_paths()) return apply_changes();
    return fallback_.update(freshness_.consume_touched().anything);
  }
  RESIDENT_CHECK(freshness_.refresh_inputs());
  RESIDENT_CHECK(freshness_.apply_changes());
  return computed_.update();
}

Result<void> WorktreeModel::scan(const std::atomic<bool>* cancelled,
                                 const std::function<void()>& tick) {
  const ScanControl control{nullptr, cancelled, tick, false};
  fallback_.record_changed_files();
  Result<void> result = scan_ourselves(control);
  if (has_code(result, ErrorCode::kUnsupported)) {
    result = let_git_answer(std::move(result).error(), control);
  }
  if (has_code(result, ErrorCode::kCancelled)) return result;
  if (has_code(result, ErrorCode::kPending)) {
    if (is_delegated()) freshness_.events().mark_desynced("git is being asked again");
    return result;
  }
  failure_.reset();
  if (!result.ok()) failure_ = result.error();
  return result;
}

// Scans without git, also while git answers.
Result<void> WorktreeModel::scan_ourselves(const ScanControl& control) {
  const auto attempt = [&]() -> Result<void> {
    RESIDENT_CHECK(freshness_.refresh_inputs());
    // The new config may show that only git can answer.
    if (inputs_.config_question().wants_newer()) RESIDENT_CHECK(inputs_.check_config());
    RESIDENT_CHECK(freshness_.scan(control));
    return computed_.update();
  };
  Result<void> result = attempt();
  const bool is_undecided = has_code(result, ErrorCode::kUnsupported) ||
                            has_code(result, ErrorCode::kPending) ||
                            has_code(result, ErrorCode::kCancelled);
  if (!result.ok()) {
    if (!is_undecided) fallback_.refute();
    return result;
  }
  fallback_.forget_files();
  if (!is_delegated()) return result;
  source_ = &computed_;
  fallback_.end(computed_.reported().untracked);
  gated_files_.outdate();
  return result;
}

// From here on git answers. The tree is kept only to detect that something changed.
Result<void> WorktreeModel::let_git_answer(Error reason, const ScanControl& control) {
  const Options& options = inputs_.options;
  if (!options.trusted) {
    return Error{
        ErrorCode::kUnsafe,
        reason.message + "; only git can answer, and git does not run in an untrusted workspace"};
  }
  if (!options.asks_git) return reason;
  // A file may have been incomplete when it was read, and complete when it was recorded. No event
  // would then cause a retry. Only a failure that was read after the recording counts.
  for (int attempts = 0; options.watcher && attempts < kMaxAttempts; ++attempts) {
    if (!fallback_.record_deciding_files()) break;
    Result<void> result = scan_ourselves(control);
    if (!has_code(result, ErrorCode::kUnsupported)) return result;
    reason = std::move(result).error();
  }
  freshness_.filters().drop_all();
  fallback_.begin(std::move(reason.message), source_->reported());
  source_ = &fallback_;
  if (options.watcher) RESIDENT_CHECK(freshness_.watch_only(control));
  // The tree found untracked files before it was clear that git must answer. They are reported as
  // git lists them.
  deltas_.mark_untracked(freshness_.consume_touched().untracked);
  // A one-shot caller needs no rows beside the answer.
  return options.watcher ? fallback_.ask_again() : Result<void>();
}

bool WorktreeModel::sweep(uint64_t limit, const std::function<bool()>& interrupted) {
  const bool found = freshness_.sweep(limit, interrupted);
  if (found && is_delegated()) fallback_.invalidate();
  return found;
}

std::optional<WorktreeModel::Clock::time_point> WorktreeModel::due() const {
  const BackgroundGit::DueTime due = source_->due(failure_.has_value());
  const auto longest = awaited();
  const ModelState* told = deltas_.told_state();
  if (!longest || (told && told->waiting)) return due;
  return BackgroundGit::earlier(due, longest->since + kNoticeable);
}

std::optional<GitTasks::Awaited> WorktreeModel::awaited() const {
  std::optional<GitTasks::Awaited> own = inputs_.git.tasks().longest_awaited();
  std::optional<GitTasks::Awaited> below = computed_.submodules().awaited_by_scans();
  return !own || (below && below->since < own->since) ? below : own;
}

Result<void> WorktreeModel::check_known() const {
  RESIDENT_CHECK(freshness_.events().check());
  return inputs_.check_config();
}

std::vector<std::string> WorktreeModel::metadata_files() const {
  std::vector<std::string> files;
  freshness_.add_files(files);
  computed_.add_files(files);
  fallback_.add_files(files);
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  std::erase(files, "");
  return files;
}

// --- Questions

// A model without a watcher scans only once.
Result<void> WorktreeModel::come_up_to_date() {
  if (inputs_.options.watcher) return update();
  return failure_ ? Result<void>(*failure_) : Result<void>();
}

template <typename Ask>
std::invoke_result_t<Ask, StatusSource&> WorktreeModel::put(const Ask& ask) {
  RESIDENT_CHECK(come_up_to_date());
  auto answer = ask(*source_);
  const bool is_for_git = has_code(answer, ErrorCode::kUnsupported) && !is_delegated();
  if (!is_for_git || !inputs_.options.trusted || !inputs_.options.asks_git) return answer;
  // Earlier answers of git may be about a stale state.
  fallback_.forget();
  return ask(fallback_);
}

Result<StatusResult> WorktreeModel::answer(const StatusQuery& query) {
  constexpr auto kAllowed = StatusSource::Warnings::kAllowed;
  if (!query.operation) {
    return put([&](StatusSource& source) { return source.answer(query, kAllowed); });
  }
  RESIDENT_CHECK(come_up_to_date());
  return source_->answer(query, kAllowed);
}

Result<StatusResult> WorktreeModel::answer_if_no_warnings(const StatusQuery& query) {
  if (failure_) return *failure_;
  return source_->answer(query, StatusSource::Warnings::kRefused);
}

Result<PromptStatus> WorktreeModel::prompt(const PromptQuery& query) {
  return put([&](StatusSource& source) { return source.prompt(query); });
}

Result<std::vector<bool>> WorktreeModel::ignored(const std::vector<std::string>& paths) {
  RESIDENT_CHECK(come_up_to_date());
  return source_->ignored(paths);
}

Result<std::optional<std::string>> WorktreeModel::content(const std::string& path, int stage) {
  RESIDENT_CHECK(come_up_to_date());
  return source_->content(path, stage);
}

Result<Explanation> WorktreeModel::explain(const std::string& path, bool as_directory) {
  RESIDENT_CHECK(come_up_to_date());
  return source_->explain(path, as_directory);
}

WorktreeModel::Changes WorktreeModel::changes_since(std::string_view token, ChangesFor whom) {
  const Changes unknown{true, ChangeJournal::no_token(), {}};
  if (freshness_.is_scanned() && freshness_.tree().polls()) return unknown;
  if (!update(Poll::kNothing).ok() || !freshness_.knows_every_change()) return unknown;
  ChangeJournal& journal = freshness_.journal();
  const bool is_for_people = whom == ChangesFor::kPeople;
  const auto issue_token = [&](bool given_all) {
    return is_for_people ? journal.issue_token(given_all) : journal.issue_own_token(given_all);
  };
  if (const std::optional<ChangeJournal::Since> since = journal.since(token)) {
    const TreeState& tree = freshness_.tree();
    std::optional<std::vector<std::string>> names =
        is_for_people ? names_for_people(*since, tree, computed_.submodules())
                      : names_for_git(*since, tree, token, whom);
    if (names) return {false, issue_token(false), *std::move(names)};
  }
  // After this answer git verifies every entry, but no directory of its untracked cache. If the
  // index has no cache, git fills a new one after this token.
  const bool keeps_directories = is_for_people || !inputs_.index->untracked_cache_place().empty();
  return {true, issue_token(keeps_directories), {}};
}

// --- Deltas

bool WorktreeModel::want_details(bool wanted) {
  if (std::exchange(wants_details_, wanted) == wanted) return false;
  // The gate has to watch the files of the details from now on, or no longer.
  gated_files_.outdate();
  computed_.want_details(wanted);
  fallback_.want_details(wanted);
  return true;
}

ModelState WorktreeModel::state() const {
  const TreeState& tree = freshness_.tree();
  ModelState state;
  state.directories = tree.watches.count();
  state.sweep = freshness_.sweep_state();
  state.linked_beyond = tree.links.beyond();
  const auto longest = awaited();
  if (longest && inputs_.git.now() - longest->since >= kNoticeable) {
    const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(
        longest->since_by_wall_clock.time_since_epoch());
    state.waiting = {longest->subject.name, longest->subject.files, since.count()};
  }
  if (failure_ && !freshness_.is_scanning()) {
    state.kind = ModelState::Kind::kFailed;
    state.message = failure_->message;
  } else if (freshness_.is_verifying()) {
    using Kind = ModelState::Kind;
    state.kind = freshness_.is_scanned() ? Kind::kVerifying : Kind::kScanning;
    const std::string& desynced = freshness_.events().desynced();
    state.message = desynced.empty() ? "all files are being checked again" : desynced;
    state.files_seen = freshness_.progress().files_seen;
    state.files_expected = freshness_.progress().files_expected;
  } else if (is_delegated()) {
    state.kind = ModelState::Kind::kDelegated;
    state.message = fallback_.reason();
  } else if (tree.watches.polled() > 0) {
    Watcher& watcher = *inputs_.options.watcher;
    state.kind = ModelState::Kind::kPolling;
    state.polled = tree.watches.polled();
    if (const size_t missing = tree.watches.unwatched(); missing > 0) {
      state.shortage = watcher.shortage(state.directories, missing);
    }
  } else {
    state.kind = ModelState::Kind::kWatching;
  }
  return state;
}

DeltaMaker::Now WorktreeModel::now() const {
  const CurrentOperation& operation = inputs_.state.operation();
  const auto [untracked, branch, details] = source_->reported();
  return {untracked, branch, operation.kind(), details, operation.step(), state()};
}

std::optional<StatusDelta> WorktreeModel::take_delta() {
  return deltas_.take(now(), freshness_.consume_problems(), freshness_.sweep_progress().rounds);
}

StatusDelta WorktreeModel::whole() {
  return deltas_.whole(now());
}

}  // namespace resident
