// TreeFreshness: keeps the tree equal to the files on disk, and knows when it may not be. It owns
// the tree, the journal, the pending events and the records of polls and sweeps.
//
// If events were lost, the tree is desynced: a scan is due, and no pending event is kept.
//
// If git answers, the tree only watches: it has no entries, and detects that something changed.
//
// Threads: the model's owner; Progress is read by any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "delta/delta_maker.h"
#include "model/event_barrier.h"
#include "model/filtered_files.h"
#include "model/model_inputs.h"
#include "tree/change_journal.h"
#include "tree/worktree_tree.h"

namespace resident {

class TreeFreshness {
 public:
  using Poll = PollScope;
  using Clock = BackgroundGit::Clock;

  // Progress of a scan.
  struct Progress {
    std::atomic<uint64_t> files_seen{0};
    std::atomic<uint64_t> files_expected{0};
  };
  // When each poll scope was last polled, for how long, and with how much processor time. A wider
  // scope covers the narrower ones.
  struct Polled {
    Clock::time_point began = Clock::time_point::min();
    Clock::duration took{};
    Clock::duration cost{};
  };
  struct PollRecords {
    Polled everything;
    Polled names;
    Polled recent;
  };

  // The arguments outlive this object.
  TreeFreshness(ModelInputs& inputs, DeltaMaker& deltas);

  // --- Events

  // Drains the queues of the watcher and of the gate.
  void drain();
  // The known file states may be wrong, for `reason`: the next update scans.
  void mark_desynced(const std::string& reason);
  // Non-empty: events were lost, or a full check was requested.
  const std::string& desynced() const { return desynced_; }
  // Grows with every batch of events.
  uint64_t activity() const { return activity_; }

  // --- Steps of an update

  // Until end_question(), an update polls everything, unless a full poll began since `asked_at`.
  void begin_question(Clock::time_point asked_at) { asked_at_ = asked_at; }
  void end_question() { asked_at_.reset(); }
  // `poll`: what to poll in this update; a question decides that itself.
  void begin_update(Poll poll);
  // kNotFound: the worktree was removed.
  Result<void> check_root();
  bool gone() const { return gone_; }
  // kPending: a late watcher has not reported all changes from before the question yet.
  Result<void> check_events() const { return barrier_.check(asked_at_); }
  // Refreshes the inputs, and applies their changes to the tree, except for a new index.
  Result<void> refresh_inputs();
  // Applies changes in the worktree, and a changed index. Scans if a scan is due. kPending: the
  // index or a setting changed during a long check. The owner is woken, and has to update again.
  Result<void> apply_changes();
  // Checks the paths that events marked, and polls. False: a scan is due.
  bool apply_pending_paths();
  Touched consume_touched() { return tree_.consume_touched(); }
  // Uses the inputs' index, which may have other positions, for the tree.
  void bind();
  // Replaces the inputs' index by a copy with more entries.
  void expand_index(std::shared_ptr<const Index> expanded);

  // --- Scans

  // After an error nothing changed, and the pending events are kept.
  Result<void> scan(const ScanControl& control);
  // Drops all entries: git answers from now on, until the next scan.
  Result<void> watch_only(ScanControl control);
  bool is_watch_only() const { return is_watch_only_; }
  bool is_scanned() const { return is_scanned_; }
  // A scan is due or runs; or none has ended yet.
  bool is_verifying() const { return !is_scanned_ || is_scanning_ || !desynced_.empty(); }
  bool is_scanning() const { return is_scanning_; }
  // The tree has the state of every file, apart from pending events.
  bool is_complete() const { return is_scanned_ && desynced_.empty() && !is_watch_only_; }
  // Duration of a one-shot scan, part of its answer.
  std::chrono::milliseconds scan_time() const { return scan_time_; }
  Progress& progress() { return progress_; }
  const Progress& progress() const { return progress_; }

  // --- Polls and sweeps

  // True: call the model's update() from time to time, even without an event.
  bool polls() const { return tree().polls(); }
  // True: call it with Poll::kRecent soon; a hint reported a change.
  bool is_hinted() const { return !tree().watches.hinted().empty(); }
  // Polls the directories of these files first. If there are many, the first files count.
  void prioritize(std::span<const std::string> paths) { tree_.prioritize(paths); }
  const PollRecords& polled() const { return polled_; }
  // A step of WorktreeTree::sweep(); while git answers, a whole round. True: call the model's
  // update(). Does nothing while a scan is due.
  bool sweep(uint64_t limit, const std::function<bool()>& interrupted);
  WorktreeTree::SweepProgress sweep_progress() const;
  // The sweep's part of the model's state. The owner sets it, since it paces the sweep.
  void set_sweep_state(const SweepState& state) { sweep_state_ = state; }
  const SweepState& sweep_state() const { return sweep_state_; }

  // --- What is known

  const TreeState& tree() const { return tree_.state(); }
  FilteredFiles& filters() { return filters_; }
  ChangeJournal& journal() { return journal_; }
  // True if the journal has every change.
  bool knows_every_change() const;
  // Adds a problem of the owner.
  void record_problem(std::string problem) { problems_.push_back(std::move(problem)); }
  // Directories and files that cannot be read or watched, and the owner's problems, since the last
  // call.
  std::vector<std::string> consume_problems();
  // The files around the worktree that decide the tree and its inputs.
  void add_files(std::vector<std::string>& files) const;
  const WorktreeTree::Work& work() const { return tree().work; }

 private:
  struct Start {
    Clock::time_point at;
    std::chrono::nanoseconds cpu;
  };

  void pend(Batch batch);
  Result<void> apply_known_changes();
  Result<void> refresh_after_long_check();
  void apply_repository_changes(const RepositoryState::Changes& changes);
  Result<void> refresh_index();
  void poll();
  Start start() const;
  void record_poll(Poll scope, const Start& start);
  Result<void> rescan(const ScanControl& control);

  ModelInputs& inputs_;
  DeltaMaker& deltas_;
  ChangeJournal journal_;
  WorktreeTree tree_;
  FilteredFiles filters_;
  Progress progress_;
  std::vector<std::string> problems_;  // the owner's

  Batch pending_;
  EventBarrier barrier_;
  std::string desynced_;
  uint64_t activity_ = 0;
  bool watches_lost_ = false;  // since the last scan that read everything
  bool gone_ = false;
  MetadataGate::Coverage root_coverage_;

  bool is_scanned_ = false;
  bool is_scanning_ = false;
  bool is_watch_only_ = false;
  int stale_updates_ = 0;         // successive updates during which the inputs changed
  bool settings_differ_ = false;  // the tree has other settings, or is older than its index
  std::chrono::milliseconds scan_time_{0};

  std::optional<Clock::time_point> asked_at_;  // for the current question
  Poll wanted_poll_ = Poll::kNothing;          // for the current update
  PollRecords polled_;
  SweepState sweep_state_;
  uint64_t rounds_swept_ = 0;  // the tree's rounds, as of the last sweep()
  uint64_t rounds_by_git_ = 0;
};

}  // namespace resident
