// WorktreeLoop: what is done in the turns of one worktree that is kept: events are taken in,
// questions answered, deltas told, a step of the sweep made; and when the next turn is due.
//
// Everything that it meets is given (Platform), so that a test steps it through time.
//
// Order of a turn: what happened is taken in before any question is answered; a question that waits
// for git is put again after each update, and no longer than Options::question_limit. While git
// holds the index's lock nothing is told.
//
// Where `.git` leads to another repository, a model of that takes the place of the one before, and
// questions wait for it. What was told stays until the new model is known; then everything is told
// from version 0.
//
// Where memory runs out the worktree is given up: what it held is freed, the listener is told that
// it is gone, and why, and every question that waits or follows is put without a model.
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
    // Whether anything was mounted since it was last asked; empty: that cannot be told.
    std::function<bool()> mounts_changed = {};
    // Paths below the worktree's root at which something is mounted; empty: that cannot be told.
    std::function<std::vector<std::string>()> mounted_below = {};
    // What happened to the host; empty: that cannot be told.
    std::function<HostWatch::Events()> host_events = {};
    std::shared_ptr<GitRunner> git = nullptr;  // null: programs are waited for in turns
    Now now = steady_now();
    // Whether the machine has something better to do than a sweep.
    std::function<PauseReason()> pause_reason = {};
  };
  // Whoever gives the turns. Called in turns, but for wake().
  struct Owner {
    // A turn is wanted, in which update is set. On any thread.
    std::function<void()> wake;
    // Something around the worktree changed. On any thread.
    std::function<void()> metadata_wake;
    // Somebody waits for a turn: what nobody asked for is to end.
    std::function<bool()> is_wanted;
    // No answer is wanted any more.
    std::function<bool()> is_stopping;
    // Deltas were told: unwatched_files() may be others.
    std::function<void()> told;
    // The worktree has another repository from now on.
    std::function<void(const Repository&)> moved = [](const Repository&) {};
  };

  // Something to be done in a turn. A question that is pending is put again; kFinal: no more. No
  // model: the worktree was given up.
  enum class Attempt : uint8_t { kMayRetry, kFinal };
  using Task = std::function<bool(WorktreeModel*, Attempt)>;  // false: it is pending
  struct PostedTask {
    Task task;
    Clock::time_point at;  // when somebody wanted it
  };

  WorktreeLoop(Platform platform, Owner owner, Repository repository,
               const Resident::Options& options, Resident::Listener& listener);
  ~WorktreeLoop();

  // The first turn, in two parts: the first scan, and what it found is told. Who hears that may ask
  // at once.
  void scan();
  void tell_first();
  // Any other. `update`: something happened.
  void turn(std::vector<PostedTask> tasks, bool update);
  // When it is due unasked; kNever.
  Clock::time_point due() const;
  // After the last turn: every question that waits, and these, are put for the last time.
  void end(std::vector<PostedTask> tasks);

  // In a turn.
  void attend(const Resident::Attention& attention);
  void want_details(bool wanted);
  void set_sweep(std::chrono::milliseconds within);
  void replay();
  // Something that has nothing to do with the model: told with what is new.
  void record_problem(std::string problem);
  // Tells the listener everything new.
  void flush();
  // The error of a question that has waited long enough.
  Error still_waits(const Error& pending) const;
  // The error of a question after the worktree was given up.
  Error given_up() const;
  // Whether git is to be answered in place of its own daemon.
  bool stands_in_for_daemon() const;
  // The files around the worktree of whose change no watch of ours tells.
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
  // Does a part of a turn; nothing any more once the worktree is given up.
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
  uint64_t gate_generation_ = 0;          // when everything was looked at after it was watched
  std::unique_ptr<WorktreeModel> model_;  // null: given up
  std::deque<WaitingTask> waiting_;       // questions, in the order in which they came
  bool told_gone_ = false;
  bool is_successor_ = false;  // the model took the place of another one, and told nothing yet
  std::optional<IndexLock> index_lock_;
  bool waits_for_git_ = false;  // what is seen meanwhile is not told
  SweepPace pace_;
  PollPace poll_pace_;
  // For a model that takes the place of this one.
  bool wants_details_ = false;
  std::vector<std::string> prioritized_;
  Clock::time_point updated_;
  Clock::duration busy_{};  // since memory was given back
  // What unwatched_files() was found from.
  std::vector<std::string> metadata_files_;
  std::vector<std::string> unwatched_files_;
  uint64_t files_generation_ = 0;
};

}  // namespace resident
