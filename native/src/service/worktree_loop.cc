#include "service/worktree_loop.h"

#include <algorithm>
#include <exception>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>

#include "os/memory.h"

namespace resident {

namespace {

// Shortest time between two updates that the model requests itself.
constexpr std::chrono::milliseconds kSoonest{100};
constexpr std::chrono::milliseconds kLockInterval{20};
// Limits of update_until_quick().
constexpr std::chrono::milliseconds kQuick{10};
constexpr int kMaxUpdates = 4;
constexpr std::chrono::seconds kMaxRetrying{1};
constexpr std::chrono::milliseconds kStorm{100};

}  // namespace

WorktreeLoop::WorktreeLoop(Platform platform, Owner owner, Repository repository,
                           const Resident::Options& options, Resident::Listener& listener)
    : platform_(std::move(platform)),
      owner_(std::move(owner)),
      repository_(std::move(repository)),
      options_(options),
      listener_(listener),
      pace_(options.configuration.sweep, platform_.pause_reason),
      configuration_(options.configuration) {
  make_model();
}

WorktreeLoop::~WorktreeLoop() = default;

WorktreeModel::Options WorktreeLoop::model_options() {
  WorktreeModel::Options model;
  model.gate = gate_.get();
  model.watcher = watcher_.get();
  model.mounts_changed = platform_.mounts_changed;
  model.mounted_below = platform_.mounted_below;
  model.threads =
      options_.threads ? options_.threads : std::max(1u, std::thread::hardware_concurrency());
  model.trusted = options_.trusted;
  model.git = platform_.git;
  model.git_answered = owner_.wake;
  model.now = platform_.now;
  model.owner_follows = true;
  model.tick = [this] {
    flush();
    return owner_.is_stopping();
  };
  return model;
}

void WorktreeLoop::make_model() {
  watcher_ = platform_.watchers(owner_.wake);
  metadata_watcher_ = platform_.watchers(owner_.metadata_wake);
  gate_ = std::make_unique<MetadataGate>(platform_.fs, *metadata_watcher_,
                                         [this] { return mounts_changed(); });
  gate_generation_ = 0;
  model_ = std::make_unique<WorktreeModel>(platform_.fs, repository_, model_options());
  index_lock_.emplace(platform_.fs, repository_.index_path);
  configure_model();
}

void WorktreeLoop::drop_model() {
  model_.reset();
  gate_.reset();
  metadata_watcher_.reset();
  watcher_.reset();
}

// The gate calls this in each drain of the model. Without host events, every mount may have
// changed.
bool WorktreeLoop::mounts_changed() {
  if (!platform_.host_events) return true;
  const HostWatch::Events events = platform_.host_events();
  if (!events.desync_reason.empty())
    model_->freshness().events().mark_desynced(events.desync_reason);
  return events.mounts;
}

// --- Turns

void WorktreeLoop::scan() {
  keep([&] {
    flush();
    std::atomic<bool> cancelled{false};
    (void)model_->scan(&cancelled, [&] {
      flush();
      cancelled = owner_.is_stopping();
    });
  });
}

void WorktreeLoop::tell_first() {
  keep([&] {
    flush();
    // The files around the worktree were read before they were watched.
    owner_.wake();
  });
}

void WorktreeLoop::turn(std::vector<PostedTask> tasks, bool update) {
  keep([&] { run_turn(tasks, update); });
  if (!model_) put_without_model(tasks);
}

template <typename Part>
void WorktreeLoop::keep(const Part& part) {
  if (!model_) return;
  try {
    part();
    return;
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
    // A container asked for more than its maximum size.
  }
  give_up();
}

// Frees the model first: the report needs memory.
void WorktreeLoop::give_up() {
  drop_model();
  trim_heap();
  if (!std::exchange(told_gone_, true)) listener_.on_gone(given_up().message);
}

bool WorktreeLoop::stands_in_for_daemon() const {
  return model_ && options_.trusted && model_->stands_in_for_daemon();
}

Error WorktreeLoop::given_up() const {
  return Error{ErrorCode::kIo, repository_.worktree + ": not enough memory for this worktree"};
}

// Fails all waiting questions: the model is gone.
void WorktreeLoop::put_without_model(std::vector<PostedTask>& tasks) {
  for (; !waiting_.empty(); waiting_.pop_front()) {
    (void)waiting_.front().task(nullptr, Attempt::kFinal);
  }
  for (PostedTask& posted : tasks) {
    if (posted.task) (void)posted.task(nullptr, Attempt::kFinal);
  }
}

void WorktreeLoop::run_turn(std::vector<PostedTask>& tasks, bool update) {
  const auto began = platform_.now();
  const bool updates = update || update_due() <= began;
  if (updates) {
    this->update(poll_pace_.wanted(*model_, began));
    updated_ = platform_.now();
  }
  const size_t waited = waiting_.size();
  for (PostedTask& task : tasks) {
    const auto moment = model_->next_request();
    // The slot comes first: no task is lost if the allocation fails.
    waiting_.emplace_back();
    waiting_.back() = {std::exchange(task.task, nullptr), moment, task.at,
                       began + options_.question_limit};
  }
  put_questions(updates ? 0 : waited);
  if (!owner_.is_stopping()) {
    sweep();
    if (!waits_for_git_) flush();
    tell_if_gone();
  }
  follow_repository();
  trim_heap_when_idle(platform_.now() - began);
  verify_twice();
}

// If the repository changes again meanwhile, the first update of the new model notices.
void WorktreeLoop::follow_repository() {
  if (owner_.is_stopping() || !model_->moved_to()) return;
  repository_ = *model_->moved_to();
  // Frees the old model's watches before the new model takes its own.
  drop_model();
  make_model();
  is_successor_ = true;
  owner_.moved(repository_);
  std::atomic<bool> cancelled{false};
  (void)model_->scan(&cancelled, [&] { cancelled = owner_.is_stopping(); });
  // A scan is newer than every waiting question, and the new model counts requests from the start.
  for (WaitingTask& waiting : waiting_) waiting.asked = model_->next_request();
  flush();
  owner_.wake();
}

// Runs the questions from index `first` on, and all that reached their time limit.
void WorktreeLoop::put_questions(size_t first) {
  size_t at = 0;
  std::exception_ptr failure;
  std::erase_if(waiting_, [&](WaitingTask& waiting) {
    const bool is_last = waiting.limit <= platform_.now();
    if (failure || (at++ < first && !is_last)) return false;
    bool is_answered = false;
    // An exception out of erase_if would lose questions.
    try {
      const WorktreeModel::Asking asking(*model_, waiting.asked, waiting.asked_at);
      is_answered = waiting.task(model_.get(), is_last ? Attempt::kFinal : Attempt::kMayRetry);
      if (!owner_.is_stopping() && !waits_for_git()) flush();
    } catch (...) {
      failure = std::current_exception();
    }
    return is_answered;
  });
  if (failure) std::rethrow_exception(failure);
  if (waiting_.empty()) model_->end_questions();
}

WorktreeLoop::Clock::time_point WorktreeLoop::due() const {
  auto due = kNever;
  for (const WaitingTask& waiting : waiting_) due = std::min(due, waiting.limit);
  if (told_gone_ || !model_) return due;
  due = std::min(due, update_due());
  return waits_for_git_ ? due : std::min(due, pace_.due());
}

// Next time to check places without events.
WorktreeLoop::Clock::time_point WorktreeLoop::update_due() const {
  if (waits_for_git_) return updated_ + kLockInterval;
  const auto wanted = model_->due();
  const auto due = wanted ? std::max(*wanted, updated_ + kSoonest) : kNever;
  return std::min(due, poll_pace_.due(*model_));
}

void WorktreeLoop::end(std::vector<PostedTask> tasks) {
  keep([&] {
    for (; !waiting_.empty(); waiting_.pop_front()) {
      (void)waiting_.front().task(model_.get(), Attempt::kFinal);
    }
    for (PostedTask& posted : tasks) {
      (void)posted.task(model_.get(), Attempt::kFinal);
      posted.task = nullptr;
    }
  });
  if (!model_) put_without_model(tasks);
}

// --- Work of a turn

bool WorktreeLoop::waits_for_git() {
  waits_for_git_ = index_lock_->is_held(model_->freshness().events().activity(), platform_.now());
  return waits_for_git_;
}

void WorktreeLoop::update(WorktreeModel::Poll poll) {
  if (model_->freshness().gone()) return;
  model_->freshness().events().drain();
  if (!model_->freshness().events().desynced().empty()) flush();
  if (waits_for_git()) return;
  // flush() reports a failure as part of the state.
  (void)update_until_quick(poll);
  if (!waits_for_git_) flush();
}

Result<void> WorktreeLoop::update_until_quick(WorktreeModel::Poll poll) {
  std::optional<Clock::time_point> end;
  for (int updates = 1;; ++updates) {
    const auto before = platform_.now();
    Result<void> updated = model_->update(std::exchange(poll, WorktreeModel::Poll::kNothing));
    const auto now = platform_.now();
    if (!end) end = now + kMaxRetrying;
    const bool is_last = now - before < kQuick || updates == kMaxUpdates || now >= *end;
    if (is_last || waits_for_git()) return updated;
  }
}

// Takes a step of the sweep if it is due and nobody waits for a turn.
void WorktreeLoop::sweep() {
  const auto begin = platform_.now();
  if (owner_.is_wanted() || waits_for_git_ || model_->freshness().gone() ||
      !pace_.begin(begin, model_->freshness().sweep_progress())) {
    return;
  }
  if (model_->sweep(SweepPace::kStep, owner_.is_wanted)) update(WorktreeModel::Poll::kNothing);
  const auto end = platform_.now();
  pace_.end(end, end - begin, model_->freshness().sweep_progress());
}

void WorktreeLoop::record_sweep() {
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  pace_.note(platform_.now(), std::chrono::duration_cast<std::chrono::seconds>(wall).count(),
             model_->freshness().sweep_progress());
  model_->freshness().set_sweep_state(pace_.state());
}

void WorktreeLoop::configure(const Resident::Configuration& configuration) {
  const auto before = std::exchange(configuration_, configuration);
  configure_model();
  if (configuration_.details != before.details) owner_.wake();
  if (configuration_.sweep == before.sweep) return;
  pace_.set_within(configuration_.sweep, platform_.now());
  if (!waits_for_git()) flush();
}

void WorktreeLoop::configure_model() {
  poll_pace_.set_visible(configuration_.visible);
  model_->freshness().prioritize(configuration_.open_files);
  (void)model_->want_details(configuration_.details);
}

// A change between reading a file and watching it has no event: update again.
void WorktreeLoop::verify_twice() {
  if (std::exchange(gate_generation_, gate_->generation()) != gate_->generation()) owner_.wake();
}

// Trims the heap after much work. The memory of an event storm is not needed afterwards.
void WorktreeLoop::trim_heap_when_idle(Clock::duration busy) {
  busy_ += busy;
  if (busy_ < kStorm) return;
  trim_heap();
  busy_ = {};
}

// --- Deltas

void WorktreeLoop::flush() {
  if (told_gone_) return;
  if (is_successor_ && model_->state().kind == ModelState::Kind::kScanning) return;
  is_successor_ = false;
  record_sweep();
  while (auto delta = model_->take_delta()) tell(std::move(*delta));
}

void WorktreeLoop::tell(StatusDelta delta) {
  const bool is_first = delta.base_version == 0;
  if (find_unwatched_files() || is_first) delta.unwatched_files = unwatched_files_;
  if (is_first) {
    delta.place = StatusDelta::Place{repository_.git_dir, repository_.common_dir};
  }
  listener_.on_delta(std::move(delta));
}

void WorktreeLoop::replay() {
  flush();
  if (!told_gone_) tell(model_->whole());
}

void WorktreeLoop::record_problem(std::string problem) {
  keep([&] { model_->freshness().record_problem(std::move(problem)); });
}

// A question, too, can notice the removal.
void WorktreeLoop::tell_if_gone() {
  if (!model_->freshness().gone() || told_gone_) return;
  told_gone_ = true;
  listener_.on_gone(repository_.worktree + ": the worktree was removed");
}

bool WorktreeLoop::find_unwatched_files() {
  std::vector<std::string> files = model_->metadata_files();
  if (files == metadata_files_ && files_generation_ == gate_->generation()) return false;
  std::vector<std::string> unwatched = gate_->unreported_paths(files);
  metadata_files_ = std::move(files);
  files_generation_ = gate_->generation();
  return std::exchange(unwatched_files_, unwatched) != unwatched;
}

Error WorktreeLoop::still_waits(const Error& pending) const {
  const auto awaited = model_->awaited();
  if (!awaited) return pending;
  std::string message = repository_.worktree + ": waiting for " + awaited->subject.name;
  if (awaited->subject.files > 0) {
    message += ", " + std::to_string(awaited->subject.files) +
               (awaited->subject.files == 1 ? " file" : " files");
  }
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(platform_.now() - awaited->since);
  return Error{ErrorCode::kPending, message + ", " + std::to_string(seconds.count()) + " s"};
}

}  // namespace resident
