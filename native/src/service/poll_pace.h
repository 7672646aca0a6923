// PollPace: decides when to poll places without events. It has three scopes:
// - recent: directories in which a poll lately found a change; at once after a hint;
// - names: directories in which names come and go; a tenth of the cost of a full poll;
// - everything: as often as its share allows.
//
// The scopes use at most 1/kShare, 1/kNamesShare and 1/kRecentShare of one core's time: together
// less than a twentieth. Each scope also uses at most 1/kWait of the wall time. A slow file system
// has other clients to serve.
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
  // While nobody sees the status.
  static constexpr std::chrono::seconds kHiddenInterval{20};

  void set_visible(bool visible) { interval_ = visible ? kInterval : kHiddenInterval; }

  // The next time at which wanted() is not kNothing; Clock::time_point::max(): never.
  Clock::time_point due(const WorktreeModel& model) const {
    const TreeFreshness& freshness = model.freshness();
    if (!freshness.tree().polls()) return Clock::time_point::max();
    return std::min({due(freshness.poll_log().everything(), kShare),
                     due(freshness.poll_log().names(), kNamesShare), recent_due(freshness)});
  }
  Poll wanted(const WorktreeModel& model, Clock::time_point now) const {
    const TreeFreshness& freshness = model.freshness();
    if (!freshness.tree().polls()) return Poll::kNothing;
    if (due(freshness.poll_log().everything(), kShare) <= now) return Poll::kEverything;
    if (due(freshness.poll_log().names(), kNamesShare) <= now) return Poll::kNames;
    return recent_due(freshness) <= now ? Poll::kRecent : Poll::kNothing;
  }

 private:
  Clock::time_point due(const PollLog::Polled& last, int share) const {
    return std::max(allowed(last, share), last.began + interval_);
  }
  // A hint skips the interval, but not the share.
  Clock::time_point recent_due(const TreeFreshness& freshness) const {
    const PollLog::Polled& last = freshness.poll_log().recent();
    return !freshness.tree().watches.hinted().empty() ? allowed(last, kRecentShare)
                                                      : due(last, kRecentShare);
  }
  static Clock::time_point allowed(const PollLog::Polled& last, int share) {
    return last.began + std::max(last.cost * share, last.took * kWait);
  }

  Clock::duration interval_ = kInterval;
};

}  // namespace resident
