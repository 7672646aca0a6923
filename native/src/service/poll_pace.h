// PollPace: when what no event tells of is looked at unasked: often where something was found
// lately, and at once where a hint told of something; then wherever names come and go, which costs
// a tenth of a look at everything; and everything, as often as it may cost.
//
// Everything costs no more than one part in kShare of one core's time, names one in kNamesShare and
// the recent places one in kRecentShare, so that together it is less than a twentieth; and so that
// a slow file system has others to serve, one part in kWait of the time is spent on each.
//
// Threads: one owner.
#pragma once

#include <algorithm>
#include <chrono>

#include "model/worktree_model.h"

namespace resident {

class PollPace {
 public:
  using Clock = std::chrono::steady_clock;
  using Poll = WorktreeModel::Poll;
  static constexpr int kShare = 35;
  static constexpr int kNamesShare = 80;
  static constexpr int kRecentShare = 120;
  static constexpr int kWait = 5;
  static constexpr std::chrono::seconds kInterval{1};
  // While nobody looks at what is told.
  static constexpr std::chrono::seconds kUnseenInterval{20};

  void set_seen(bool seen) { interval_ = seen ? kInterval : kUnseenInterval; }

  // When wanted() will be something else than kNothing; Clock::time_point::max(): never.
  Clock::time_point due(const WorktreeModel& model) const {
    if (!model.polls()) return Clock::time_point::max();
    return std::min({due(model.polled_everything(), kShare), due(model.polled_names(), kNamesShare),
                     recent_due(model)});
  }
  Poll wanted(const WorktreeModel& model, Clock::time_point now) const {
    if (!model.polls()) return Poll::kNothing;
    if (due(model.polled_everything(), kShare) <= now) return Poll::kEverything;
    if (due(model.polled_names(), kNamesShare) <= now) return Poll::kNames;
    return recent_due(model) <= now ? Poll::kRecent : Poll::kNothing;
  }

 private:
  Clock::time_point due(const WorktreeModel::Polled& last, int share) const {
    return std::max(allowed(last, share), last.began + interval_);
  }
  // What a hint told of waits for no interval.
  Clock::time_point recent_due(const WorktreeModel& model) const {
    const WorktreeModel::Polled& last = model.polled_recent();
    return model.is_hinted() ? allowed(last, kRecentShare) : due(last, kRecentShare);
  }
  static Clock::time_point allowed(const WorktreeModel::Polled& last, int share) {
    return last.began + std::max(last.cost * share, last.took * kWait);
  }

  Clock::duration interval_ = kInterval;
};

}  // namespace resident
