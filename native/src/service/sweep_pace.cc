#include "service/sweep_pace.h"

#include <algorithm>
#include <utility>

namespace resident {

namespace {

// Finished part of the current round, from 0 to 1.
double part_of(const WorktreeTree::SweepProgress& progress) {
  if (progress.expected == 0) return 0;
  return std::min(1.0,
                  static_cast<double>(progress.looks) / static_cast<double>(progress.expected));
}

}  // namespace

SweepPace::SweepPace(std::chrono::milliseconds within, std::function<PauseReason()> pause_reason)
    : within_(within), pause_reason_of_(std::move(pause_reason)) {
}

void SweepPace::set_within(std::chrono::milliseconds within, Clock::time_point now) {
  within_ = within;
  pause_reason_ = PauseReason::kNone;
  pause_asked_ = Clock::time_point::min();
  if (is_on()) {
    due_ = round_began_ = now + rest();
  } else {
    due_ = Clock::time_point::max();
  }
}

bool SweepPace::begin(Clock::time_point now, const Progress& progress) {
  if (now < due_) return false;
  if (pause_asked_ == Clock::time_point::min() || now - pause_asked_ >= pause_interval()) {
    pause_reason_ = pause_reason_of_();
    pause_asked_ = now;
  }
  if (pause_reason_ != PauseReason::kNone) {
    due_ = now + pause_interval();
    return false;
  }
  step_from_ = progress;
  return true;
}

void SweepPace::end(Clock::time_point now, Clock::duration cost, const Progress& progress) {
  const Clock::time_point soonest = now + cost * (kShare - 1);
  const Progress from = *std::exchange(step_from_, std::nullopt);
  if (progress.rounds == from.rounds && progress.looks == from.looks) {
    // The sweep made no progress: for example, a scan is due first.
    due_ = now + pause_interval();
    return;
  }
  if (progress.rounds != from.rounds) {
    due_ = round_began_ = std::max(soonest, round_began_ + round());
    return;
  }
  const auto planned = std::chrono::duration<double>(round()) * part_of(progress);
  due_ = std::max(soonest, round_began_ + std::chrono::duration_cast<Clock::duration>(planned));
}

void SweepPace::note(Clock::time_point now, int64_t wall, const Progress& progress) {
  // In steps of 10, because each change is sent.
  percent_ = static_cast<unsigned>(part_of(progress) * 10) * 10;
  if (std::exchange(rounds_, progress.rounds) == progress.rounds) return;
  verified_at_ = wall;
  if (!is_on() || step_from_) return;
  // end() has already planned the next round.
  const bool is_planned = due_ != Clock::time_point::max() && round_began_ > now;
  if (!is_planned) due_ = round_began_ = now + rest();
}

SweepState SweepPace::state() const {
  using Pace = SweepState::Pace;
  SweepState state;
  if (!is_on()) return state;
  state.pace = pause_reason_ == PauseReason::kBattery ? Pace::kBattery
               : pause_reason_ == PauseReason::kLoad  ? Pace::kLoad
                                                      : Pace::kRunning;
  state.within = std::chrono::duration_cast<std::chrono::seconds>(within_);
  state.verified_at = verified_at_;
  state.percent = percent_;
  return state;
}

}  // namespace resident
