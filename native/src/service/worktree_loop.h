// WorktreeLoop: the turns of one kept worktree. A turn applies events, answers questions, sends
// deltas and takes a step of the sweep. The loop also knows when the next turn is due.
//
// Platform supplies the whole environment: a test can step the loop through time.
//
// Order of a turn: events are applied before any question is answered. A question that waits for
// git is retried after each update, for at most Options::question_limit. While git holds the index
// lock, no delta is sent.
//
// Files can change under an update: git writes HEAD after the index, and between the two writes
// every file seems to be staged. An update of 10 ms or more may have read one of them too early.
// The loop then updates again before anybody gets an answer or a delta, and it alone does so. It
// stops after a quick update, after four updates, or one second after the end of the first. While
// git holds the index lock, one update is enough.
//
// If `.git` changes to another repository, a new model replaces the old one, and questions wait for
// it. The last deltas remain valid until the new model is ready. Then everything is sent from
// version 0.
//
// If memory runs out, the worktree is given up. Its memory is freed, and the listener gets the
// reason. Every waiting or later question is called without a model.
//
// Threads: one turn at a time; turns see each other's work.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/now.h"
#include "git/git_runner.h"
#include "model/worktree_model.h"
#include "repo_state/metadata_gate.h"
#include "service/index_lock.h"
#include "service/poll_pace.h"
#include "service/resident.h"
#include "service/sweep_pace.h"
#include "watch/host_watch.h"
#include "watch/system_watchers.h"

namespace resident {

class WorktreeLoop {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr auto kNever = Clock::time_point::max();

  struct Platform {
    FileSystem& fs;
    WatcherFactory watchers;
    // True if a mount changed since the last call; empty: unknown.
    std::function<bool()> mounts_changed = {};
    // Mount points below the worktree's root; empty: unknown.
    std::function<std::vector<std::string>()> mounted_below = {};
    // Events of the host since the last call; empty: unknown.
    std::function<HostWatch::Events()> host_events = {};
    std::shared_ptr<GitRunner> git = nullptr;  // null: turns wait for programs themselves
    Now now = steady_now();
    // Reason to pause the sweep.
    std::function<PauseReason()> pause_reason = {};
  };
  // Calls to the owner of the turns. Made in turns, except wake() and metadata_wake().
  struct Owner {
    // Requests a turn with `update` set. On any thread.
    std::function<void()> wake;
    // A file around the worktree changed. On any thread.
    std::function<void()> metadata_wake;
    // True: somebody waits for a turn, and background work must end.
    std::function<bool()> is_wanted;
    // True: no answer is wanted any more.
    std::function<bool()> is_stopping;
    // Deltas were sent: unwatched_files() may have changed.
    std::function<void()> told;
    // Another repository replaced the worktree's repository.
    std::function<void(const Repository&)> moved = [](const Repository&) {};
  };

  // Work for a turn. A pending question is retried; kFinal: no retry follows. Null model: the
  // worktree was given up.
  enum class Attempt : uint8_t { kMayRetry, kFinal };
  using Task = std::function<bool(WorktreeModel*, Attempt)>;  // false: pending
  struct PostedTask {
    Task task;
    Clock::time_point at;  // request time
  };

  WorktreeLoop(Platform platform, Owner owner, Repository repository,
               const Resident::Options& options, Resident::Listener& listener);
  ~WorktreeLoop();

  // The first turn, in two parts: the first scan, then its first delta. The listener may ask at
  // once.
  void scan();
  void tell_first();
  // Any later turn. `update`: something happened.
  void turn(std::vector<PostedTask> tasks, bool update);
  // Next time for a turn without a request, or kNever.
  Clock::time_point due() const;
  // After the last turn: runs every waiting question and `tasks` for the last time.
  void end(std::vector<PostedTask> tasks);

  // Call these in a turn.
  // Applies all changes. Repeats that while files change under it.
  Result<void> update_until_quick(WorktreeModel::Poll poll = WorktreeModel::Poll::kEverything);
  void attend(const Resident::Attention& attention);
  void want_details(bool wanted);
  void set_sweep(std::chrono::milliseconds within);
  void replay();
  // A problem independent of the model. The next delta carries it.
  void record_problem(std::string problem);
  // Sends all news to the listener.
  void flush();
  // The error of a question that reached its time limit.
  Error still_waits(const Error& pending) const;
  // The error of a question after the worktree was given up.
  Error given_up() const;
  // True: answer git in place of its own fsmonitor daemon.
  bool stands_in_for_daemon() const;
  // Files around the worktree that our watches do not cover.
  std::vector<std::string> unwatched_files();

 private:
  struct WaitingTask {
    Task task;
    WorktreeModel::RequestId asked;
    Clock::time_point asked_at;
    Clock::time_point limit;
  };

  WorktreeModel::Options model_options();
  void make_model();
  void drop_model();
  void follow_repository();
  void tell(StatusDelta delta);
  // Runs one part of a turn. Does nothing after the worktree is given up.
  template <typename Part>
  void keep(const Part& part);
  void give_up();
  void put_without_model(std::vector<PostedTask>& tasks);
  void run_turn(std::vector<PostedTask>& tasks, bool update);
  bool mounts_changed();
  bool waits_for_git();
  void update(WorktreeModel::Poll poll);
  void record_sweep();
  void sweep();
  void put_questions(size_t first);
  void verify_twice();
  void tell_if_gone();
  void trim_heap_when_idle(Clock::duration busy);
  Clock::time_point update_due() const;

  const Platform platform_;
  const Owner owner_;
  Repository repository_;
  const Resident::Options options_;
  Resident::Listener& listener_;

  std::unique_ptr<Watcher> watcher_;
  std::unique_ptr<Watcher> metadata_watcher_;
  std::unique_ptr<MetadataGate> gate_;
  uint64_t gate_generation_ = 0;          // at the last check after files were newly watched
  std::unique_ptr<WorktreeModel> model_;  // null: given up
  std::deque<WaitingTask> waiting_;       // questions, in order of arrival
  bool told_gone_ = false;
  bool is_successor_ = false;  // the model replaced an old model, and sent no delta yet
  std::optional<IndexLock> index_lock_;
  bool waits_for_git_ = false;  // no delta is sent meanwhile
  SweepPace pace_;
  PollPace poll_pace_;
  // Settings for a replacement model.
  bool wants_details_ = false;
  std::vector<std::string> prioritized_;
  Clock::time_point updated_;
  Clock::duration busy_{};  // since the last trim_heap()
  // Cache of unwatched_files(), with its inputs.
  std::vector<std::string> metadata_files_;
  std::vector<std::string> unwatched_files_;
  uint64_t files_generation_ = 0;
};

}  // namespace resident
