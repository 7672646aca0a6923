// SweepPace: when the sweep takes its next step, so that a round ends within the stated time and
// costs no more than one part in kShare of one core's time, whatever a step costs.
//
// A round is spread evenly over a part of the stated time; where it falls behind, because its steps
// are dear or because it was paused, it goes on as fast as the share allows, and then takes longer
// than stated. While there is a reason to pause there are no steps.
//
// Threads: one owner thread.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "delta/status_delta.h"
#include "service/pause_reason.h"
#include "tree/worktree_tree.h"

namespace resident {

class SweepPace {
 public:
  using Clock = std::chrono::steady_clock;
  using Progress = WorktreeTree::SweepProgress;
  static constexpr int kShare = 100;
  static constexpr uint64_t kStep = 500;  // looks

  // `within` is the stated time; zero or less: never.
  SweepPace(std::chrono::milliseconds within, std::function<PauseReason()> pause_reason);

  // Another stated time from now on.
  void set_within(std::chrono::milliseconds within, Clock::time_point now);
  bool is_on() const { return within_.count() > 0; }
  // When begin() is to be called; Clock::time_point::max() where it never is.
  Clock::time_point due() const { return due_; }
  // Whether a step is to be taken now. Asks for a reason to pause now and then.
  bool begin(Clock::time_point now, const Progress& progress);
  // After a begin() that said so: the step took `cost`, with all that followed from it.
  void end(Clock::time_point now, Clock::duration cost, const Progress& progress);
  // Takes note of rounds that ended without a step: a scan looks at everything.
  // `wall` is the time of day, in seconds since 1970.
  void note(Clock::time_point now, int64_t wall, const Progress& progress);

  SweepState state() const;

 private:
  // So much of the stated time a round takes, and so much passes after a scan before it begins.
  Clock::duration round() const { return within_ * 8 / 10; }
  Clock::duration rest() const { return within_ / 10; }
  Clock::duration pause_interval() const { return within_ / 20; }

  Clock::duration within_;
  std::function<PauseReason()> pause_reason_of_;
  Clock::time_point due_ = Clock::time_point::max();
  Clock::time_point round_began_;
  Clock::time_point pause_asked_ = Clock::time_point::min();
  PauseReason pause_reason_ = PauseReason::kNone;
  uint64_t rounds_ = 0;
  std::optional<Progress> step_from_;  // between begin() and end()
  unsigned percent_ = 0;
  int64_t verified_at_ = 0;
};

}  // namespace resident
