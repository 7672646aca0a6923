// PendingEvents: the events that were drained and not applied yet, or the reason why events were
// lost. If they were, the worktree is desynced: no event is kept, since a scan is due.
//
// Threads: the model's owner.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "delta/delta_maker.h"
#include "model/event_barrier.h"
#include "model/model_options.h"
#include "tree/change_journal.h"
#include "watch/batch.h"

namespace resident {

class PendingEvents {
 public:
  // The arguments outlive this object. `journal` restarts whenever events are lost.
  PendingEvents(const ModelOptions& options, DeltaMaker& deltas, ChangeJournal& journal)
      : options_(options),
        deltas_(deltas),
        journal_(journal),
        batch_(options.pending),
        barrier_(options.watcher, options.now) {}

  // Until end_question(), check() waits for the changes from before `asked_at`.
  void begin_question(EventBarrier::Time asked_at) { asked_at_ = asked_at; }
  void end_question() { asked_at_.reset(); }
  // kPending: a late watcher has not reported all changes from before the question yet.
  Result<void> check() const { return barrier_.check(asked_at_); }
  // Drains the queues of the watcher and of the gate.
  void drain();
  // The known file states may be wrong, for `reason`: the next update scans.
  void mark_desynced(const std::string& reason);
  // Non-empty: events were lost, or a full check was requested.
  const std::string& desynced() const { return desynced_; }
  // Grows with every batch of events.
  uint64_t activity() const { return activity_; }

  // --- For TreeFreshness

  const Batch& batch() const { return batch_; }
  Batch take() { return batch_.take(); }
  // Keeps events of a scan that failed.
  void put_back(Batch batch);
  // A scan covered everything.
  void end_desync() { desynced_.clear(); }
  // Everything was read since `at`.
  void record_read(EventBarrier::Time at) { barrier_.record_read(at); }
  // True if watches were lost since the last call.
  bool consume_watches_lost() { return std::exchange(watches_lost_, false); }

 private:
  const ModelOptions& options_;
  DeltaMaker& deltas_;
  ChangeJournal& journal_;
  Batch batch_;
  EventBarrier barrier_;
  std::optional<EventBarrier::Time> asked_at_;  // for the current question
  std::string desynced_;
  uint64_t activity_ = 0;
  bool watches_lost_ = false;
};

}  // namespace resident
