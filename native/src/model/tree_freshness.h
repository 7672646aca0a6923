// TreeFreshness: keeps the tree equal to the files on disk, and knows when it may not be. It owns
// the tree, the journal, the pending events and the log of polls.
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
#include <span>
#include <string>
#include <vector>

#include "delta/delta_maker.h"
#include "model/filtered_files.h"
#include "model/model_inputs.h"
#include "model/pending_events.h"
#include "model/poll_log.h"
#include "tree/change_journal.h"
#include "tree/worktree_tree.h"

namespace resident {

class TreeFreshness {
 public:
  // Progress of a scan.
  struct Progress {
    std::atomic<uint64_t> files_seen{0};
    std::atomic<uint64_t> files_expected{0};
  };
  // The arguments outlive this object.
  TreeFreshness(ModelInputs& inputs, DeltaMaker& deltas);

  // --- Steps of an update

  // kNotFound: the worktree was removed.
  Result<void> check_root();
  bool gone() const { return gone_; }
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
  Result<void> scan(ScanControl control);
  // Drops all entries: git answers from now on, until the next scan.
  Result<void> watch_only(ScanControl control);
  bool is_watch_only() const { return is_watch_only_; }
  bool is_scanned() const { return is_scanned_; }
  // A scan is due or runs; or none has ended yet.
  bool is_verifying() const { return !is_scanned_ || is_scanning_ || !events_.desynced().empty(); }
  bool is_scanning() const { return is_scanning_; }
  // The tree has the state of every file, apart from pending events.
  bool is_complete() const { return is_scanned_ && events_.desynced().empty() && !is_watch_only_; }
  // Duration of a one-shot scan, part of its answer.
  std::chrono::milliseconds scan_time() const { return scan_time_; }
  const Progress& progress() const { return progress_; }

  // --- Polls and sweeps

  // Polls the directories of these files first. If there are many, the first files count.
  void prioritize(std::span<const std::string> paths) { tree_.prioritize(paths); }
  PollLog& poll_log() { return poll_log_; }
  const PollLog& poll_log() const { return poll_log_; }
  // A step of WorktreeTree::sweep(); while git answers, a whole round. True: call the model's
  // update(). Does nothing while a scan is due.
  bool sweep(uint64_t limit, const std::function<bool()>& interrupted);
  WorktreeTree::SweepProgress sweep_progress() const;
  // The sweep's part of the model's state. The owner sets it, since it paces the sweep.
  void set_sweep_state(const SweepState& state) { sweep_state_ = state; }
  const SweepState& sweep_state() const { return sweep_state_; }

  // --- What is known

  const TreeState& tree() const { return tree_.state(); }
  PendingEvents& events() { return events_; }
  const PendingEvents& events() const { return events_; }
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

 private:
  Result<void> apply_known_changes();
  Result<void> refresh_after_long_check();
  void apply_repository_changes(const RepositoryState::Changes& changes);
  Result<void> refresh_index();
  void poll();
  Result<void> rescan(const ScanControl& control);

  ModelInputs& inputs_;
  DeltaMaker& deltas_;
  ChangeJournal journal_;
  PendingEvents events_;
  PollLog poll_log_;
  WorktreeTree tree_;
  FilteredFiles filters_;
  Progress progress_;
  std::vector<std::string> problems_;  // the owner's

  bool watches_lost_ = false;  // since the last scan that read everything
  bool gone_ = false;
  MetadataGate::Coverage root_coverage_;

  bool is_scanned_ = false;
  bool is_scanning_ = false;
  bool is_watch_only_ = false;
  int stale_updates_ = 0;         // successive updates during which the inputs changed
  bool settings_differ_ = false;  // the tree has other settings, or is older than its index
  std::chrono::milliseconds scan_time_{0};

  SweepState sweep_state_;
  uint64_t rounds_swept_ = 0;  // the tree's rounds, as of the last sweep()
  uint64_t rounds_by_git_ = 0;
};

}  // namespace resident
