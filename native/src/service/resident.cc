#include "service/resident.h"

#include <algorithm>
#include <new>
#include <stop_token>
#include <thread>

#include "base/thread_annotations.h"
#include "fs/linux/posix_file_system.h"
#include "git/git_loop.h"
#include "ipc/socket_verbs.h"
#include "ipc/worktree_socket.h"
#include "parallel/executor.h"
#include "parallel/turn_context.h"
#include "service/worktree_loop.h"
#include "verbs/changes_question.h"
#include "verbs/git_monitor.h"
#include "verbs/git_socket.h"
#include "verbs/prompt_question.h"
#include "verbs/status_question.h"
#include "watch/host_watch.h"
#include "watch/linux/mount_table.h"
#include "watch/system_watchers.h"

namespace resident {

namespace {

using Clock = Executor::Clock;

// Passes events of any thread to the turns of one WorktreeLoop.
class ResidentImpl final : public Resident, private Executor::Owner {
 public:
  ResidentImpl(std::shared_ptr<Executor> executor, Repository repository, const Options& options,
               Listener& listener)
      : root_(repository.worktree),
        options_(options),
        executor_(std::move(executor)),
        socket_(
            root_,
            [this](std::shared_ptr<SocketServer::Question> asked) {
              answer_status_question(std::move(asked));
            },
            [this] { wake(); },
            [this](std::string problem) { loop_->record_problem(std::move(problem)); }),
        identity_(identity_of(repository)) {
    make_git_socket();
    if (Result<MountTable> mounts = MountTable::open(); mounts.ok()) {
      tree_mounts_ = std::move(mounts).value();
    }
    if (auto host = HostWatch::open(root_, [this] { wake(); }); host.ok()) {
      host_ = std::move(host).value();
    }
    loop_ = std::make_unique<WorktreeLoop>(platform(), owner(), std::move(repository), options,
                                           listener);
    executor_->add(*this);
    executor_->request(*this);
  }

  ~ResidentImpl() override {
    stop();
    // First stop the turns, then the sockets.
    executor_->remove(*this);
    loop_->end(drain_tasks());
    git_socket_->close();
    socket_.close();
    // The loop wakes us until its destructor.
    loop_.reset();
    host_.reset();
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

  Identity identity() const override {
    MutexLock lock(mutex_);
    return identity_;
  }

  void status(const StatusQuery& query, Done<StatusResult> done) override {
    ask(std::move(done), [query](WorktreeModel& model) { return model.answer(query); });
  }

  void prompt(const PromptQuery& query, Done<PromptStatus> done) override {
    ask(std::move(done), [query](WorktreeModel& model) { return model.prompt(query); });
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

  void explain(std::string path, Done<Explanation> done) override {
    ask(std::move(done),
        [path = std::move(path)](WorktreeModel& model) { return model.explain(path); });
  }

  void content(std::string path, Source source, Done<std::optional<std::string>> done) override {
    const int stage = static_cast<int>(source) - static_cast<int>(Source::kIndex);
    ask(std::move(done), [path = std::move(path), stage](WorktreeModel& model) {
      return model.content(path, stage);
    });
  }

  void metadata_changed() override { wake(); }

  void configure(Configuration configuration) override {
    (void)post([this, configuration = std::move(configuration)](WorktreeModel* model, Attempt) {
      if (model) loop_->configure(configuration);
      return true;
    });
  }

  void replay() override {
    (void)post([this](WorktreeModel* model, Attempt) {
      if (model) loop_->replay();
      return true;
    });
  }

 private:
  using Attempt = WorktreeLoop::Attempt;
  using Task = WorktreeLoop::Task;
  using PostedTask = WorktreeLoop::PostedTask;

  WorktreeLoop::Platform platform() {
    WorktreeLoop::Platform platform{posix_file_system(), system_watchers()};
    if (tree_mounts_) platform.mounts_changed = [this] { return tree_mounts_->changed(); };
    platform.mounted_below = [this] { return mounted_below(root_); };
    if (host_) platform.host_events = [this] { return host_->take(); };
    // Without a thread for GitLoop, turns wait for programs themselves.
    if (Result<std::shared_ptr<GitLoop>> git = GitLoop::of_process(); git.ok()) {
      platform.git = std::move(git).value();
    }
    platform.pause_reason = options_.pause_reason;
    if (!platform.pause_reason) {
      platform.pause_reason = [cores = std::max(1u, std::thread::hardware_concurrency())] {
        return resident::pause_reason("", cores);
      };
    }
    return platform;
  }

  WorktreeLoop::Owner owner() {
    WorktreeLoop::Owner owner;
    owner.wake = [this] { wake(); };
    owner.metadata_wake = [this] {
      if (options_.watch_metadata) wake();
    };
    owner.is_wanted = [this] { return wanted_.load(); };
    owner.is_stopping = [this] { return stopping_.load(); };
    owner.moved = [this](const Repository& repository) { move_to(repository); };
    return owner;
  }

  static Identity identity_of(const Repository& repository) {
    return {repository.worktree, repository.git_dir, repository.common_dir};
  }

  // The old socket, if any, no longer listens.
  void make_git_socket() {
    git_socket_ = std::make_unique<GitSocket>(
        identity().git_dir,
        [this](std::shared_ptr<SocketServer::Question> asked) {
          answer_git_question(std::move(asked));
        },
        [this] { wake(); },
        // Reported after all other news of the turn.
        [this](std::string problem) {
          loop_->record_problem(std::move(problem));
          loop_->flush();
        });
  }

  void move_to(const Repository& repository) {
    {
      MutexLock lock(mutex_);
      identity_ = identity_of(repository);
    }
    git_socket_->close();
    make_git_socket();
  }

  void wake() {
    {
      MutexLock lock(mutex_);
      wanted_ = dirty_ = true;
    }
    executor_->request(*this);
  }

  // False: stopped, the task was not posted.
  bool post(Task task) {
    {
      MutexLock lock(mutex_);
      if (stop_) return false;
      wanted_ = true;
      tasks_.push_back({std::move(task), Clock::now()});
    }
    executor_->request(*this);
    return true;
  }

  // Runs `question` in a turn. Repeats it until git has given the facts that it needs.
  template <typename T, typename Question>
  void ask(Done<T> done, Question question) {
    const bool posted =
        post([this, done, question = std::move(question)](WorktreeModel* model, Attempt which) {
          Result<T> answer = answer_now<T>(model, question);
          if (!is_final(answer, which)) return false;
          done(std::move(answer));
          return true;
        });
    if (!posted) done(closed());
  }

  template <typename T, typename Question>
  Result<T> answer_now(WorktreeModel* model, const Question& question) {
    if (stopping_) return closed();
    if (!model) return loop_->given_up();
    return question(*model);
  }

  // After the time limit, a pending answer becomes an error that names the awaited program.
  template <typename T>
  bool is_final(Result<T>& answer, Attempt which) const {
    if (answer.ok() || answer.error().code != ErrorCode::kPending) return true;
    if (which == Attempt::kMayRetry) return false;
    answer = loop_->still_waits(answer.error());
    return true;
  }

  Result<RescanResult> rescan_in_turn(WorktreeModel& model,
                                      const std::function<void(const RescanProgress&)>& progress,
                                      const std::atomic<bool>& cancelled) {
    const auto start = Clock::now();
    std::atomic<bool> stop{false};
    const auto tick = [&] {
      stop = cancelled || stopping_;
      loop_->flush();
      if (progress) progress({model.progress().files_seen, model.progress().files_expected});
    };
    RESIDENT_CHECK(model.scan(&stop, tick));
    RescanResult result;
    result.files_seen = model.progress().files_seen;
    result.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    if (progress) progress({result.files_seen, model.progress().files_expected});
    return result;
  }

  Error closed() const { return Error{ErrorCode::kCancelled, root_ + ": closed"}; }

  // On the socket thread.
  void answer_status_question(std::shared_ptr<SocketServer::Question> asked) {
    const std::string_view payload = asked->payload();
    const Result<SocketVerb> verb = socket_verb(payload);
    if (!verb.ok()) return answer<StatusReply>(*asked, verb.error());
    switch (*verb) {
      case SocketVerb::kStatus:
        return take_model_question(std::move(asked), decode_question(payload), answer_question);
      case SocketVerb::kPrompt:
        return take_model_question(std::move(asked), decode_prompt_question(payload),
                                   answer_prompt);
      case SocketVerb::kChanges:
        return answer_changes_question(std::move(asked));
      case SocketVerb::kAwaitEnd:
        return;  // handled by the server
    }
  }

  template <typename Reply>
  static void answer(SocketServer::Question& question, const Result<Reply>& reply) {
    question.answer(
        encode_reply(reply.ok() ? *reply : Reply{Reply::Kind::kError, reply.error().message}));
  }

  // Handles a question that may have to wait for git.
  template <typename Question, typename Reply>
  void take_model_question(std::shared_ptr<SocketServer::Question> asked, Result<Question> question,
                           Result<Reply> (*answer_of)(const Question&, WorktreeModel&,
                                                      ClientGits&)) {
    if (!question.ok()) return answer<Reply>(*asked, question.error());
    const bool posted =
        post([=, this, question = std::move(*question)](WorktreeModel* model, Attempt which) {
          if (!asked->is_wanted()) return true;
          Result<Reply> reply = answer_now<Reply>(
              model, [&](WorktreeModel& kept) { return answer_of(question, kept, client_gits_); });
          if (!is_final(reply, which)) return false;
          answer(*asked, reply);
          return true;
        });
    if (!posted) answer<Reply>(*asked, closed());
  }

  // If the changes are not known in time, the reply says that everything may have changed.
  void answer_changes_question(std::shared_ptr<SocketServer::Question> asked) {
    const auto question = decode_changes_question(asked->payload());
    if (!question.ok()) return answer<StatusReply>(*asked, question.error());
    const bool posted = post([=, this, question = *question](WorktreeModel* model, Attempt which) {
      if (!asked->is_wanted()) return true;
      Result<ChangesReply> reply = answer_now<ChangesReply>(
          model, [&](WorktreeModel& kept) { return answer_changes(question, kept); });
      if (!reply.ok() && reply.error().code == ErrorCode::kPending) {
        if (which == Attempt::kMayRetry) return false;
        reply = ChangesReply{true, ChangeJournal::no_token(), {}};
      }
      if (!reply.ok()) answer<StatusReply>(*asked, reply.error());
      if (reply.ok()) asked->answer(encode_changes_reply(*reply));
      return true;
    });
    if (!posted) answer<StatusReply>(*asked, closed());
  }

  // If the changes are not known in time, the reply says that everything may have changed.
  void answer_git_question(std::shared_ptr<SocketServer::Question> asked) {
    const bool posted = post([=](WorktreeModel* model, Attempt which) {
      if (!asked->is_wanted()) return true;
      const auto question = monitor_question_of(asked->peer(), asked->payload());
      Result<ChangesReply> reply = Error{};
      if (model && question) reply = answer_changes(*question, *model);
      const bool is_pending = !reply.ok() && reply.error().code == ErrorCode::kPending;
      if (is_pending && which == Attempt::kMayRetry) return false;
      asked->answer(reply.ok() ? monitor_answer(*reply) : monitor_answer_everything());
      return true;
    });
    if (!posted) asked->answer(monitor_answer_everything());
  }

  Clock::time_point turn() override {
    TurnContext context = TurnContext::current();
    context.stop = stop_source_.get_token();
    const TurnScope scope(std::move(context));
    if (!std::exchange(begun_, true)) {
      begin();
    } else if (!stopping_) {
      run_turn();
    }
    if (stopping_) {
      loop_->end(drain_tasks());
      return WorktreeLoop::kNever;
    }
    follow_git_socket();
    return std::min({loop_->due(), socket_.due(), git_socket_->due()});
  }

  void begin() {
    loop_->scan();
    if (options_.listen && !stopping_) socket_.listen();
    follow_git_socket();
    loop_->tell_first();
  }

  void run_turn() {
    std::vector<PostedTask> tasks;
    bool dirty = false;
    {
      MutexLock lock(mutex_);
      wanted_ = stop_;
      dirty = std::exchange(dirty_, false);
      tasks.swap(tasks_);
    }
    socket_.follow();
    loop_->turn(std::move(tasks), dirty);
  }

  // Only the process that listens on the worktree's socket answers git.
  void follow_git_socket() {
    git_socket_->want(socket_.listens() && loop_->stands_in_for_daemon());
    git_socket_->follow();
  }

  // Tasks from before stop() that got no turn.
  std::vector<PostedTask> drain_tasks() {
    MutexLock lock(mutex_);
    return std::exchange(tasks_, {});
  }

  // Constant after the constructor.
  const std::string root_;
  const Options options_;
  const std::shared_ptr<Executor> executor_;

  // Used only in turns.
  bool begun_ = false;
  ClientGits client_gits_;
  std::optional<MountTable> tree_mounts_;  // mounts for the model
  std::unique_ptr<HostWatch> host_;
  WorktreeSocket socket_;
  std::unique_ptr<GitSocket> git_socket_;  // never null
  std::unique_ptr<WorktreeLoop> loop_;

  std::atomic<bool> stopping_{false};
  std::atomic<bool> wanted_{false};  // a task is posted, or something happened
  std::stop_source stop_source_;
  mutable Mutex mutex_;
  Identity identity_ GUARDED_BY(mutex_);
  bool stop_ GUARDED_BY(mutex_) = false;
  bool dirty_ GUARDED_BY(mutex_) = false;
  std::vector<PostedTask> tasks_ GUARDED_BY(mutex_);
};

}  // namespace

Result<std::unique_ptr<Resident>> Resident::open(const std::string& path, const Options& options,
                                                 Listener& listener) {
  RESIDENT_TRY(Repository repository, discover(path));
  try {
    // First, because nothing works without a worker. The other threads are optional.
    std::shared_ptr<Executor> executor = Executor::of_process();
    RESIDENT_CHECK(executor->ensure_worker());
    return std::unique_ptr<Resident>(std::make_unique<ResidentImpl>(
        std::move(executor), std::move(repository), options, listener));
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kIo, path + ": not enough memory for this worktree"};
  }
}

}  // namespace resident
