// SweepPace: decides when the sweep takes its next step. A round ends within the stated time, and
// uses at most 1/kShare of one core's time, whatever a step costs.
//
// The steps of a round are spread evenly over a part of the stated time. A round falls behind after
// expensive steps or a pause. It then goes on as fast as the share allows, and can take longer than
// stated. While there is a reason to pause, the sweep takes no steps.
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
  static constexpr uint64_t kStep = 500;  // files checked in one step

  // `within` is the stated time; zero or less: no sweep.
  SweepPace(std::chrono::milliseconds within, std::function<PauseReason()> pause_reason);

  // Changes the stated time.
  void set_within(std::chrono::milliseconds within, Clock::time_point now);
  bool is_on() const { return within_.count() > 0; }
  // Next time to call begin(); Clock::time_point::max(): never.
  Clock::time_point due() const { return due_; }
  // True: take a step now. Checks now and then for a reason to pause.
  bool begin(Clock::time_point now, const Progress& progress);
  // Call after a step that begin() allowed. `cost`: of the step and of the work that followed from
  // it.
  void end(Clock::time_point now, Clock::duration cost, const Progress& progress);
  // Records rounds that ended without a step: a scan also verifies everything. `wall` is the time
  // of day, in seconds since 1970.
  void note(Clock::time_point now, int64_t wall, const Progress& progress);

  SweepState state() const;

 private:
  // Length of a round, and the rest after a scan; both parts of the stated time.
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
  std::optional<Progress> step_from_;  // set between begin() and end()
  unsigned percent_ = 0;
  int64_t verified_at_ = 0;
};

}  // namespace resident
