#include "service/resident.h"

#include <algorithm>
#include <new>
#include <stop_token>
#include <thread>

#include "base/thread_annotations.h"
#include "fs/linux/posix_file_system.h"
#include "git/git_loop.h"
#include "ipc/message_fields.h"
#include "ipc/socket_verbs.h"
#include "ipc/worktree_socket.h"
#include "parallel/executor.h"
#include "parallel/turn_context.h"
#include "service/answer_printer.h"
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
using Asked = std::shared_ptr<SocketServer::Question>;

// Passes events of any thread to the turns of one WorktreeLoop.
class ResidentImpl final : public Resident, private Executor::Owner {
 public:
  ResidentImpl(std::shared_ptr<Executor> executor, Repository repository, const Options& options,
               Listener& listener)
      : root_(repository.worktree),
        options_(options),
        executor_(std::move(executor)),
        socket_(
            root_, [this](const Asked& asked) { answer_client(asked); }, [this] { wake(); },
            [this](std::string problem) { loop_->record_problem(std::move(problem)); }),
        printer_(executor_),
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
    ask_updated(std::move(done), [query](WorktreeModel& model) { return model.answer(query); });
  }

  void prompt(const PromptQuery& query, Done<PromptStatus> done) override {
    ask_updated(std::move(done), [query](WorktreeModel& model) { return model.prompt(query); });
  }

  void rescan(std::function<void(const RescanProgress&)> progress, Cancelled cancelled,
              Done<RescanResult> done) override {
    ask(std::move(done),
        [this, progress = std::move(progress), cancelled = std::move(cancelled)](
            WorktreeModel& model) { return rescan_in_turn(model, progress, *cancelled); });
  }

  void ignored(std::vector<std::string> paths, Done<std::vector<bool>> done) override {
    ask_updated(std::move(done),
                [paths = std::move(paths)](WorktreeModel& model) { return model.ignored(paths); });
  }

  void explain(std::string path, Done<Explanation> done) override {
    ask_updated(std::move(done),
                [path = std::move(path)](WorktreeModel& model) { return model.explain(path); });
  }

  void content(std::string path, Source source, Done<std::optional<std::string>> done) override {
    const int stage = static_cast<int>(source) - static_cast<int>(Source::kIndex);
    ask_updated(std::move(done), [path = std::move(path), stage](WorktreeModel& model) {
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
        identity().git_dir, [this](const Asked& asked) { answer_git(asked); }, [this] { wake(); },
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

  // Puts `question` in turns until git has given the facts that it needs, then calls `done` once.
  // After the time limit the error is kPending and names the awaited program.
  template <typename T, typename Question>
  void ask(Done<T> done, Question question) {
    const bool posted =
        post([this, done, question = std::move(question)](WorktreeModel* model, Attempt which) {
          Result<T> answer = closed();
          if (!stopping_) answer = model ? question(*model) : Result<T>(loop_->given_up());
          const bool is_pending = !answer.ok() && answer.error().code == ErrorCode::kPending;
          if (is_pending && which == Attempt::kMayRetry) return false;
          if (is_pending) answer = loop_->still_waits(answer.error());
          done(std::move(answer));
          return true;
        });
    if (!posted) done(closed());
  }

  // The same for a client. A client that is gone gets no answer.
  template <typename T, typename Question>
  void ask_for(const Asked& asked, Done<T> done, Question question) {
    ask<T>(std::move(done),
           [this, asked, question = std::move(question)](WorktreeModel& model) -> Result<T> {
             if (!asked->is_wanted()) return closed();
             return question(model);
           });
  }

  // Asks after an update of the model.
  template <typename T, typename Question>
  void ask_updated(Done<T> done, Question question) {
    ask(std::move(done), [this, question = std::move(question)](WorktreeModel& model) -> Result<T> {
      RESIDENT_CHECK(loop_->update_until_quick());
      return question(model);
    });
  }

  Result<RescanResult> rescan_in_turn(WorktreeModel& model,
                                      const std::function<void(const RescanProgress&)>& progress,
                                      const std::atomic<bool>& cancelled) {
    const auto start = Clock::now();
    const TreeFreshness::Progress& scanned = model.freshness().progress();
    std::atomic<bool> stop{false};
    const auto tick = [&] {
      stop = cancelled || stopping_;
      loop_->flush();
      if (progress) progress({scanned.files_seen, scanned.files_expected});
    };
    RESIDENT_CHECK(model.scan(&stop, tick));
    RescanResult result;
    result.files_seen = scanned.files_seen;
    result.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    if (progress) progress({result.files_seen, scanned.files_expected});
    return result;
  }

  Error closed() const { return Error{ErrorCode::kCancelled, root_ + ": closed"}; }

  // On the socket thread, like the next functions.
  void answer_client(const Asked& asked) {
    std::string_view fields = asked->payload();
    const Result<SocketVerb> verb = parse_verb(fields);
    if (!verb.ok()) return asked->answer(encode_error(verb.error().message));
    switch (*verb) {
      case SocketVerb::kStatus:
        return answer_verb<StatusAnswer>(
            asked, decode_status_question(fields),
            [this](const StatusQuestion& question, WorktreeModel& model) {
              return answer_status(question, loop_->update_until_quick(), model, client_gits_);
            });
      case SocketVerb::kPrompt:
        return answer_verb<PromptReply>(
            asked, decode_prompt_question(fields),
            [this](const PromptQuestion& question, WorktreeModel& model) {
              return answer_prompt(question, loop_->update_until_quick(), model, client_gits_);
            });
      case SocketVerb::kChanges:
        return answer_verb<ChangesReply>(asked, decode_changes_question(fields), answer_changes);
      case SocketVerb::kAwaitEnd:
        return;  // the end of the connection is the answer
    }
  }

  template <typename T, typename Question, typename AnswerOf>
  void answer_verb(const Asked& asked, Result<Question> question, AnswerOf answer_of) {
    if (!question.ok()) return asked->answer(encode_error(question.error().message));
    ask_for<T>(
        asked, [this, asked](Result<T> answer) { send(asked, std::move(answer)); },
        [answer_of, question = std::move(*question)](WorktreeModel& model) {
          return answer_of(question, model);
        });
  }

  void send(const Asked& asked, Result<StatusAnswer> answer) {
    if (!answer.ok()) return asked->answer(encode_error(answer.error().message));
    printer_.send(asked, std::move(*answer));
  }

  void send(const Asked& asked, const Result<PromptReply>& reply) {
    asked->answer(reply.ok() ? encode_reply(*reply) : encode_error(reply.error().message));
  }

  // If the changes are not known in time, everything may have changed.
  void send(const Asked& asked, Result<ChangesReply> reply) {
    if (!reply.ok() && reply.error().code == ErrorCode::kPending) reply = everything_changed();
    asked->answer(reply.ok() ? encode_reply(*reply) : encode_error(reply.error().message));
  }

  void answer_git(const Asked& asked) {
    const auto send = [asked](const Result<ChangesReply>& reply) {
      asked->answer(monitor_answer(reply.ok() ? *reply : everything_changed()));
    };
    ask_for<ChangesReply>(asked, send, [asked](WorktreeModel& model) {
      const auto question = monitor_question_of(asked->peer(), asked->payload());
      return question ? answer_changes(*question, model) : everything_changed();
    });
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

  AnswerPrinter printer_;
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
