#include "service/resident.h"

#include <malloc.h>

#include <algorithm>
#include <deque>
#include <set>
#include <stop_token>
#include <thread>

#include "base/executor.h"
#include "base/stopwatch.h"
#include "base/thread_annotations.h"
#include "base/turn_context.h"
#include "fs/posix_file_system.h"
#include "git/git_loop.h"
#include "model/metadata_gate.h"
#include "model/worktree_model.h"
#include "service/index_lock.h"
#include "service/listener_end.h"
#include "service/socket_path.h"
#include "service/socket_server.h"
#include "service/status_question.h"
#include "service/sweep_pace.h"
#include "watch/host_watch.h"
#include "watch/inotify/inotify_watcher.h"
#include "watch/mount_table.h"

namespace resident {

namespace {

using Clock = Executor::Clock;
constexpr auto kNever = Clock::time_point::max();

constexpr std::chrono::milliseconds kPollInterval{1000};
// What the model wants to do unasked is done so often at most.
constexpr std::chrono::milliseconds kSoonest{100};
// How much of its time polling takes at most: one part of so many.
constexpr int kPollShare = 20;
constexpr std::chrono::milliseconds kLockInterval{20};
// How soon it is tried again to listen, and how seldom at last.
constexpr std::chrono::milliseconds kListenAgain{20};
constexpr std::chrono::milliseconds kListenSeldom{2000};
constexpr std::chrono::milliseconds kRecent{10};
constexpr int kMostUpdates = 4;
constexpr std::chrono::milliseconds kStorm{100};

class ResidentImpl final : public Resident, private Executor::Owner {
 public:
  ResidentImpl(Repository repository, const Options& options, Listener& listener)
      : identity_{repository.worktree, repository.git_dir, repository.common_dir},
        options_(options),
        listener_(listener),
        repository_(std::move(repository)),
        executor_(Executor::of_process()),
        index_lock_(posix_file_system(), repository_.index_path),
        pace_(options.sweep, pause_reason()) {}

  Result<void> start() {
    watcher_ = make_inotify_watcher([this] { wake(); });
    open_gate();
    WorktreeModel::Options model;
    model.gate = gate_.get();
    model.watcher = watcher_.get();
    if (Result<MountTable> mounts = MountTable::open(); mounts.ok()) {
      tree_mounts_ = std::move(mounts).value();
      model.mounts_changed = [this] { return tree_mounts_->changed(); };
    }
    model.threads =
        options_.threads ? options_.threads : std::max(1u, std::thread::hardware_concurrency());
    model.trusted = options_.trusted;
    // Without a thread to be had for them all, programs are waited for in turns.
    if (Result<std::shared_ptr<GitLoop>> git = GitLoop::of_process(); git.ok()) {
      model.git = std::move(git).value();
      model.git_answered = [this] { wake(); };
    }
    model.tick = [this] {
      flush();
      return stopping_.load();
    };
    model_ = std::make_unique<WorktreeModel>(posix_file_system(), repository_, model);
    executor_->add(*this);
    executor_->request(*this);
    return {};
  }

  ~ResidentImpl() override {
    stop();
    // First who asks, then who answers.
    if (model_) executor_->remove(*this);
    answer_closed();
    predecessor_.reset();
    server_.reset();
    // It wakes us until it is gone.
    model_.reset();
    host_.reset();
    metadata_watcher_.reset();
    watcher_.reset();
  }

  void stop() override {
    stopping_ = wanted_ = true;
    {
      MutexLock lock(mutex_);
      stop_ = true;
    }
    stop_source_.request_stop();
    executor_->request(*this);
  }

  const Identity& identity() const override { return identity_; }

  void status(const StatusQuery& query, Done<StatusResult> done) override {
    ask(std::move(done), [query](WorktreeModel& model) { return model.answer(query); });
  }

  void rescan(std::function<void(const RescanProgress&)> progress, Cancelled cancelled,
              Done<RescanResult> done) override {
    ask(std::move(done),
        [this, progress = std::move(progress), cancelled = std::move(cancelled)](
            WorktreeModel& model) { return rescan_in_turn(model, progress, *cancelled); });
  }

  void ignored(std::vector<std::string> paths, Done<std::vector<bool>> done) override {
    ask(std::move(done),
        [paths = std::move(paths)](WorktreeModel& model) { return model.ignored(paths); });
  }

  void content(std::string path, Source source, Done<std::optional<std::string>> done) override {
    const int stage = static_cast<int>(source) - static_cast<int>(Source::kIndex);
    ask(std::move(done), [path = std::move(path), stage](WorktreeModel& model) {
      return model.content(path, stage);
    });
  }

  std::vector<std::string> unwatched_files() override {
    MutexLock lock(mutex_);
    return unwatched_files_;
  }

  void metadata_changed() override { wake(); }

  void set_sweep(std::chrono::milliseconds within) override {
    (void)post([this, within](WorktreeModel&, Try) {
      pace_.set_within(within, Clock::now());
      if (!waits_for_git()) flush();
      return true;
    });
  }

  void replay() override {
    (void)post([this](WorktreeModel& model, Try) {
      flush();
      if (!told_gone_) listener_.on_delta(model.whole());
      return true;
    });
  }

 private:
  // Something to be done in a turn. A question that is pending is put again; kLast: no more.
  enum class Try : uint8_t { kAgain, kLast };
  using Task = std::function<bool(WorktreeModel&, Try)>;  // false: it is pending
  struct WaitingTask {
    Task task;
    WorktreeModel::Moment asked;
    Clock::time_point limit;
  };

  void open_gate() {
    metadata_watcher_ = make_inotify_watcher([this] {
      if (options_.watch_metadata) wake();
    });
    // Where mounts cannot be told, nothing is spared.
    if (auto host = HostWatch::open(identity_.root, [this] { wake(); }); host.ok()) {
      host_ = std::move(host).value();
    }
    gate_ = std::make_unique<MetadataGate>(posix_file_system(), *metadata_watcher_,
                                           [this] { return mounts_changed(); });
  }

  std::function<PauseReason()> pause_reason() const {
    if (options_.pause_reason) return options_.pause_reason;
    return [cores = std::max(1u, std::thread::hardware_concurrency())] {
      return resident::pause_reason("", cores);
    };
  }

  // Asked by the gate, in each drain of the model.
  bool mounts_changed() {
    if (!host_) return true;
    const HostWatch::Events events = host_->take();
    if (!events.distrust.empty()) model_->distrust(events.distrust);
    return events.mounts;
  }

  void wake() {
    {
      MutexLock lock(mutex_);
      wanted_ = dirty_ = true;
    }
    executor_->request(*this);
  }

  // False where nothing is taken any more.
  bool post(Task task) {
    {
      MutexLock lock(mutex_);
      if (stop_) return false;
      wanted_ = true;
      tasks_.push_back(std::move(task));
    }
    executor_->request(*this);
    return true;
  }

  // Runs `question` in a turn, and again until git has said what it needs.
  template <typename T, typename Question>
  void ask(Done<T> done, Question question) {
    const bool posted =
        post([this, done, question = std::move(question)](WorktreeModel& model, Try which) {
          Result<T> answer = stopping_ ? Result<T>(closed()) : Result<T>(question(model));
          if (is_pending(answer)) {
            if (which == Try::kAgain) return false;
            answer = still_waits(model, answer.error());
          }
          done(std::move(answer));
          return true;
        });
    if (!posted) done(closed());
  }

  template <typename T>
  static bool is_pending(const Result<T>& answer) {
    return !answer.ok() && answer.error().code == ErrorCode::kPending;
  }

  // The error of a question that has waited long enough.
  Error still_waits(const WorktreeModel& model, const Error& pending) const {
    const auto awaited = model.awaited();
    if (!awaited) return pending;
    std::string message = identity_.root + ": waiting for " + awaited->subject.name;
    if (awaited->subject.files > 0) {
      message += ", " + std::to_string(awaited->subject.files) +
                 (awaited->subject.files == 1 ? " file" : " files");
    }
    const auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - awaited->since);
    return Error{ErrorCode::kPending, message + ", " + std::to_string(seconds.count()) + " s"};
  }

  Result<RescanResult> rescan_in_turn(WorktreeModel& model,
                                      const std::function<void(const RescanProgress&)>& progress,
                                      const std::atomic<bool>& cancelled) {
    const auto start = std::chrono::steady_clock::now();
    std::atomic<bool> stop{false};
    const auto tick = [&] {
      stop = cancelled || stopping_;
      flush();
      if (progress) progress({model.progress().files_seen, model.progress().files_expected});
    };
    RESIDENT_CHECK(model.scan(&stop, tick));
    RescanResult result;
    result.files_seen = model.progress().files_seen;
    result.milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    if (progress) progress({result.files_seen, model.progress().files_expected});
    return result;
  }

  Error closed() const { return Error{ErrorCode::kCancelled, identity_.root + ": closed"}; }

  // Tells the listener everything new.
  void flush() {
    if (told_gone_) return;
    note_sweep();
    bool told = false;
    while (auto delta = model_->take_delta()) {
      listener_.on_delta(std::move(*delta));
      told = true;
    }
    if (told) note_unwatched_files();
  }

  void note_unwatched_files() {
    std::vector<std::string> files = model_->metadata_files();
    const bool same = files == metadata_files_ && files_generation_ == gate_->generation();
    if (same) return;
    std::vector<std::string> unwatched = gate_->untold(files);
    metadata_files_ = std::move(files);
    files_generation_ = gate_->generation();
    MutexLock lock(mutex_);
    unwatched_files_ = std::move(unwatched);
  }

  bool waits_for_git() {
    waits_for_git_ = index_lock_.is_held(model_->activity(), std::chrono::steady_clock::now());
    return waits_for_git_;
  }

  void update() {
    if (model_->gone()) return;
    model_->drain();
    if (!model_->desynced().empty()) flush();
    // What took long to take in can be history by now: git writes HEAD after the index.
    const Stopwatch all;
    bool is_recent = false;
    for (int tries = 0; !is_recent && tries < kMostUpdates; ++tries) {
      if (waits_for_git()) return;
      const Stopwatch updating;
      (void)model_->update();  // a failure is part of the state that flush() tells
      is_recent = updating.elapsed() < kRecent;
    }
    flush();
    poll_interval_ = std::max(kPollInterval, all.elapsed() * kPollShare);
  }

  // What a storm needed, in one update or in thousands, is not needed for keeping what it came to.
  void give_back(Clock::duration busy) {
    busy_ += busy;
    if (busy_ < kStorm) return;
    ::malloc_trim(0);
    busy_ = {};
  }

  void note_sweep() {
    const auto wall = std::chrono::system_clock::now().time_since_epoch();
    pace_.note(Clock::now(), std::chrono::duration_cast<std::chrono::seconds>(wall).count(),
               model_->sweep_progress());
    model_->set_sweep_state(pace_.state());
  }

  // A step of the sweep, where it is time and nobody wants anything else.
  void sweep() {
    const auto begin = Clock::now();
    if (wanted_ || waits_for_git_ || model_->gone() ||
        !pace_.begin(begin, model_->sweep_progress())) {
      return;
    }
    const bool found = model_->sweep(SweepPace::kStep, [this] { return wanted_.load(); });
    if (found) update();
    const auto end = Clock::now();
    pace_.end(end, end - begin, model_->sweep_progress());
  }

  // What happened between reading a file and watching it has no event.
  void look_twice() {
    if (std::exchange(gate_generation_, gate_->generation()) != gate_->generation()) wake();
  }

  // A question can be what notices.
  void tell_if_gone() {
    if (!model_->gone() || told_gone_) return;
    told_gone_ = true;
    listener_.on_gone(identity_.root + ": the worktree was removed");
  }

  // On the thread that serves sockets.
  void take_question(std::shared_ptr<SocketServer::Question> asked) {
    const auto answer = [](SocketServer::Question& question, Result<StatusReply> reply) {
      question.answer(encode_reply(
          reply.ok() ? *reply : StatusReply{StatusReply::Kind::kError, reply.error().message}));
    };
    Result<StatusQuestion> question = decode_question(asked->payload());
    if (!question.ok()) return answer(*asked, question.error());
    const bool posted =
        post([=, this, question = std::move(*question)](WorktreeModel& model, Try which) {
          if (!asked->is_wanted()) return true;
          Result<StatusReply> reply = stopping_ ? Result<StatusReply>(closed())
                                                : answer_question(question, model, askers_gits_);
          if (is_pending(reply)) {
            if (which == Try::kAgain) return false;
            reply = still_waits(model, reply.error());
          }
          answer(*asked, std::move(reply));
          return true;
        });
    if (!posted) answer(*asked, closed());
  }

  // Where another process listens, this one does once that has ended.
  void listen() {
    may_listen_ = false;
    listen_due_ = kNever;
    if (!options_.listen || server_) return;
    Result<std::string> path = socket_path(identity_.root);
    if (!path.ok()) return;
    auto server = SocketServer::listen(
        *path,
        [this](std::shared_ptr<SocketServer::Question> asked) { take_question(std::move(asked)); });
    predecessor_.reset();
    if (server.ok()) {
      server_ = std::move(server).value();
      return;
    }
    const auto now = Clock::now();
    const bool is_soon = now - listened_ < 2 * kListenSeldom;
    listened_ = now;
    listen_again_ = is_soon ? std::min(2 * listen_again_, kListenSeldom) : kListenAgain;
    auto other = ListenerEnd::watch(*path, [this] {
      may_listen_ = true;
      wake();
    });
    if (other.ok()) {
      predecessor_ = std::move(other).value();
    } else {
      listen_due_ = now + listen_again_;
    }
  }

  // The end of another one is told at once, but no one that ends all the time is followed as often.
  void succeed() {
    const auto now = Clock::now();
    if (may_listen_.exchange(false)) listen_due_ = std::max(now, listened_ + listen_again_);
    if (listen_due_ <= now) listen();
  }

  // The first turn.
  void begin() {
    flush();
    (void)model_->scan(&stopping_, [this] { flush(); });
    // Who hears that the first answer is ready may ask at once.
    if (!stopping_) listen();
    flush();
    note_unwatched_files();
    // Nothing around the worktree was watched yet while it was read.
    wake();
  }

  Clock::time_point turn() override {
    TurnContext context = TurnContext::current();
    context.stop = stop_source_.get_token();
    const TurnScope scope(std::move(context));
    if (!std::exchange(begun_, true)) {
      begin();
    } else if (!stopping_) {
      take_turn();
    }
    if (stopping_) answer_closed();
    return stopping_ ? kNever : next_turn();
  }

  void take_turn() {
    std::deque<Task> tasks;
    bool dirty = false;
    {
      MutexLock lock(mutex_);
      wanted_ = stop_;
      dirty = std::exchange(dirty_, false);
      tasks.swap(tasks_);
    }
    const auto began = Clock::now();
    succeed();
    const bool updates = dirty || poll_due() <= began;
    if (updates) {
      update();
      updated_ = Clock::now();
    }
    const size_t waited = waiting_.size();
    for (Task& task : tasks) {
      waiting_.push_back({std::move(task), model_->next_moment(), began + options_.question_limit});
    }
    put_questions(updates ? 0 : waited);
    if (!stopping_) {
      sweep();
      if (!waits_for_git_) flush();
      tell_if_gone();
    }
    give_back(Clock::now() - began);
    look_twice();
  }

  // Those from `first` on, and those that have waited long enough.
  void put_questions(size_t first) {
    size_t at = 0;
    std::erase_if(waiting_, [&](WaitingTask& waiting) {
      const bool is_last = waiting.limit <= Clock::now();
      if (at++ < first && !is_last) return false;
      const WorktreeModel::Asking asking(*model_, waiting.asked);
      const bool is_answered = waiting.task(*model_, is_last ? Try::kLast : Try::kAgain);
      if (!stopping_ && !waits_for_git()) flush();
      return is_answered;
    });
    if (waiting_.empty()) model_->end_questions();
  }

  // When something has to be looked at that no event tells of.
  Clock::time_point poll_due() const {
    if (waits_for_git_) return updated_ + kLockInterval;
    const auto wanted = model_->due();
    const auto due = wanted ? std::max(*wanted, updated_ + kSoonest) : kNever;
    return model_->polls() ? std::min(due, updated_ + poll_interval_) : due;
  }

  Clock::time_point next_turn() const {
    auto due = listen_due_;
    for (const WaitingTask& waiting : waiting_) due = std::min(due, waiting.limit);
    if (told_gone_) return due;
    due = std::min(due, poll_due());
    return waits_for_git_ ? due : std::min(due, pace_.due());
  }

  // What was asked before stop() and got no turn.
  void answer_closed() {
    std::deque<Task> tasks;
    {
      MutexLock lock(mutex_);
      tasks.swap(tasks_);
    }
    for (WaitingTask& waiting : waiting_) (void)waiting.task(*model_, Try::kLast);
    waiting_.clear();
    for (Task& task : tasks) (void)task(*model_, Try::kLast);
  }

  // Constant after start().
  const Identity identity_;
  const Options options_;
  Listener& listener_;
  const Repository repository_;
  std::unique_ptr<Watcher> watcher_;
  std::unique_ptr<Watcher> metadata_watcher_;
  const std::shared_ptr<Executor> executor_;

  // A turn's.
  bool begun_ = false;
  Clock::time_point updated_;
  std::optional<MountTable> tree_mounts_;  // the model's
  AskersGits askers_gits_;
  std::unique_ptr<HostWatch> host_;
  std::unique_ptr<MetadataGate> gate_;
  uint64_t gate_generation_ = 0;  // when everything was looked at after it was watched
  // What unwatched_files_ was found from.
  std::vector<std::string> metadata_files_;
  uint64_t files_generation_ = 0;
  std::unique_ptr<WorktreeModel> model_;
  std::deque<WaitingTask> waiting_;  // questions, in the order in which they came
  std::unique_ptr<SocketServer> server_;
  std::unique_ptr<ListenerEnd> predecessor_;  // the process that listens in place of this one
  std::atomic<bool> may_listen_{false};       // it has ended
  Clock::time_point listen_due_ = kNever;
  Clock::time_point listened_;  // when it was last tried in vain
  std::chrono::milliseconds listen_again_ = kListenAgain;
  bool told_gone_ = false;
  IndexLock index_lock_;
  std::chrono::milliseconds poll_interval_ = kPollInterval;
  Clock::duration busy_{};      // since memory was given back
  bool waits_for_git_ = false;  // what is seen meanwhile is not told
  SweepPace pace_;

  std::atomic<bool> stopping_{false};
  std::atomic<bool> wanted_{false};  // somebody waits for a turn, or something happened
  std::stop_source stop_source_;
  Mutex mutex_;
  bool stop_ GUARDED_BY(mutex_) = false;
  bool dirty_ GUARDED_BY(mutex_) = false;
  std::deque<Task> tasks_ GUARDED_BY(mutex_);
  std::vector<std::string> unwatched_files_ GUARDED_BY(mutex_);
};

}  // namespace

Result<std::unique_ptr<Resident>> Resident::open(const std::string& path, const Options& options,
                                                 Listener& listener) {
  RESIDENT_TRY(Repository repository, discover(path));
  auto resident = std::make_unique<ResidentImpl>(std::move(repository), options, listener);
  RESIDENT_CHECK(resident->start());
  return std::unique_ptr<Resident>(std::move(resident));
}

}  // namespace resident
