#include "service/sweep_pace.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>

namespace resident {
namespace {

using namespace std::chrono_literals;
using Clock = SweepPace::Clock;

// A round of `expected` checks with a fake clock.
class SweepPaceTest : public ::testing::Test {
 protected:
  void begin_keeping(std::chrono::milliseconds within = 10min) {
    pace_.emplace(within, [this] {
      ++asked_;
      return pause_reason_;
    });
    now_ = start_;
    progress_ = {1, 0, expected_};
    note();
  }
  void note() { pace_->note(now_, wall(), progress_); }
  int64_t wall() const {
    return 1'000'000 + std::chrono::duration_cast<std::chrono::seconds>(now_ - start_).count();
  }
  // Advances to the due time and takes a step. False: the step was postponed.
  bool step(Clock::duration cost) {
    now_ = std::max(now_, pace_->due());
    if (!pace_->begin(now_, progress_)) return false;
    progress_.looks += SweepPace::kStep;
    if (progress_.looks >= expected_) progress_ = {progress_.rounds + 1, 0, expected_};
    now_ += cost;
    spent_ += cost;
    note();  // the results of a step are reported before the step ends
    pace_->end(now_, cost, progress_);
    note();
    return true;
  }
  // Runs to the end of the current round.
  Clock::duration round(Clock::duration cost) {
    const auto began = now_;
    const uint64_t rounds = progress_.rounds;
    while (progress_.rounds == rounds) EXPECT_TRUE(step(cost));
    return now_ - began;
  }

  const Clock::time_point start_{1000h};
  Clock::time_point now_ = start_;
  PauseReason pause_reason_ = PauseReason::kNone;
  int asked_ = 0;
  uint64_t expected_ = 100'000;
  WorktreeTree::SweepProgress progress_;
  Clock::duration spent_{0};
  std::optional<SweepPace> pace_;
};

TEST_F(SweepPaceTest, NothingIsDueBeforeTheFirstScanOrWhereItIsOff) {
  pace_.emplace(10min, [] { return PauseReason::kNone; });
  EXPECT_EQ(pace_->due(), Clock::time_point::max());
  begin_keeping(0min);
  EXPECT_EQ(pace_->due(), Clock::time_point::max());
  EXPECT_EQ(pace_->state(), SweepState());
}

TEST_F(SweepPaceTest, EachFilesTurnComesWithinTheStatedTime) {
  for (const uint64_t expected : {100u, 10'000u, 1'000'000u}) {
    SCOPED_TRACE(expected);
    expected_ = expected;
    begin_keeping();
    // First the time from the scan to the last file, then the time between rounds.
    EXPECT_LE(round(1ms), 10min);
    for (int i = 0; i < 3; ++i) {
      const auto took = round(1ms);
      EXPECT_LE(took, 10min);
      EXPECT_GE(took, 7min) << "no more often than needed";
    }
    EXPECT_EQ(pace_->state().verified_at, wall());
  }
}

TEST_F(SweepPaceTest, NoMoreThanItsShareIsSpentWhateverAStepCosts) {
  for (const auto cost : {Clock::duration(1ms), Clock::duration(20ms), Clock::duration(700ms)}) {
    begin_keeping();
    spent_ = {};
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(step(cost));
    const auto passed = pace_->due() - start_;
    EXPECT_LE(spent_ * 100, passed) << cost.count();
  }
}

TEST_F(SweepPaceTest, StepsAreSpreadEvenly) {
  begin_keeping();
  ASSERT_TRUE(step(1ms));
  for (int i = 1; i < 199; ++i) {
    const auto before = now_;
    ASSERT_TRUE(step(1ms));
    EXPECT_LE(now_ - before, 3s);
    EXPECT_GE(now_ - before, 2s);
  }
}

TEST_F(SweepPaceTest, AStrainedMachineIsLeftAloneAndTheStateSaysSo) {
  begin_keeping();
  ASSERT_TRUE(step(1ms));
  EXPECT_EQ(pace_->state().pace, SweepState::Pace::kRunning);
  for (const auto& [reason, pace] : {std::pair(PauseReason::kBattery, SweepState::Pace::kBattery),
                                     std::pair(PauseReason::kLoad, SweepState::Pace::kLoad)}) {
    pause_reason_ = reason;
    while (step(1ms)) {
    }
    for (int i = 0; i < 100; ++i) EXPECT_FALSE(step(1ms));
    EXPECT_EQ(pace_->state().pace, pace);
  }
  pause_reason_ = PauseReason::kNone;
  spent_ = {};
  const auto resumed = now_;
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(step(1ms));
  EXPECT_EQ(pace_->state().pace, SweepState::Pace::kRunning);
  EXPECT_LE(spent_ * 99, now_ - resumed) << "what was missed is not made up for at once";
}

TEST_F(SweepPaceTest, TheStrainIsNotAskedForEachStep) {
  expected_ = 1'000'000;
  begin_keeping();
  int steps = 0;
  for (; progress_.rounds == 1; ++steps) ASSERT_TRUE(step(1ms));
  EXPECT_EQ(steps, 2000);
  EXPECT_LE(asked_, 21);
}

TEST_F(SweepPaceTest, TheStateTellsProgressInTensAndWhenEverythingWasVerified) {
  expected_ = 10'000;
  begin_keeping();
  EXPECT_EQ(pace_->state().verified_at, 1'000'000);
  EXPECT_EQ(pace_->state().within, 10min);
  std::set<unsigned> seen;
  while (progress_.rounds == 1) {
    ASSERT_TRUE(step(1ms));
    seen.insert(pace_->state().percent);
  }
  EXPECT_EQ(seen, (std::set<unsigned>{0, 10, 20, 30, 40, 50, 60, 70, 80, 90}));
  EXPECT_EQ(pace_->state().verified_at, wall());
  // A scan in between also counts as a round.
  now_ += 5s;
  progress_ = {progress_.rounds + 1, 0, expected_};
  note();
  EXPECT_EQ(pace_->state().verified_at, wall());
}

TEST_F(SweepPaceTest, WhereAStepGetsNowhereTheNextOneTakesItsTime) {
  begin_keeping();
  now_ = pace_->due();
  ASSERT_TRUE(pace_->begin(now_, progress_));
  pace_->end(now_, 0ms, progress_);
  EXPECT_GE(pace_->due() - now_, 10s);
}

TEST_F(SweepPaceTest, AnotherStatedTimeKeepsWhatWasVerified) {
  begin_keeping(0min);
  now_ += 1min;
  pace_->set_within(20min, now_);
  note();
  EXPECT_EQ(pace_->state().verified_at, 1'000'000);
  EXPECT_EQ(pace_->state().within, 20min);
  EXPECT_LE(round(1ms), 20min);
  pace_->set_within(0min, now_);
  EXPECT_EQ(pace_->due(), Clock::time_point::max());
}

}  // namespace
}  // namespace resident
