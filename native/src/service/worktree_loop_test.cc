// The turns of a kept worktree, stepped through time.
#include <filesystem>
#include <utility>

#include "service/worktree_loop_test_support.h"

namespace resident {
namespace {

TEST_F(WorktreeLoopTest, WhatHappenedBeforeATurnIsToldAsOneDelta) {
  start();
  const uint64_t before = version();
  repo_.write("f", "22");
  repo_.write("d/new", "1");
  tree_->mark(repo_.work(), "f");
  tree_->mark(at("d"), "new", true);
  turn(true);
  EXPECT_EQ(version(), before + 1);
  EXPECT_EQ(recorder_.seen().tracked, (std::map<std::string, char>{{"f", 'M'}}));
  EXPECT_EQ(recorder_.seen().untracked, (std::set<std::string>{"d/new"}));
  EXPECT_EQ(loop_->due(), WorktreeLoop::kNever) << "nothing is due while nothing happens";
}

TEST_F(WorktreeLoopTest, NothingIsToldWhileGitHoldsTheIndexsLock) {
  start();
  const uint64_t before = version();
  repo_.write(".git/index.lock", "");
  repo_.write("f", "22");
  tree_->mark(repo_.work(), "f");
  turn(true);
  next_turn();
  EXPECT_EQ(version(), before);
  EXPECT_EQ(loop_->due(), now_ + 20ms);
  std::filesystem::remove(at(".git/index.lock"));
  next_turn();
  EXPECT_EQ(recorder_.seen().tracked, (std::map<std::string, char>{{"f", 'M'}}));
}

// A lock that nobody has open, without activity, is stale.
TEST_F(WorktreeLoopTest, ALockThatWasLeftBehindHoldsNothingUpForLong) {
  start();
  repo_.write(".git/index.lock", "");
  repo_.write("f", "22");
  tree_->mark(repo_.work(), "f");
  const auto begin = now_;
  turn(true);
  while (recorder_.seen().tracked.empty() && now_ - begin < 1min) next_turn();
  EXPECT_EQ(recorder_.seen().tracked.count("f"), 1u);
  EXPECT_GE(now_ - begin, IndexLock::kQuiet);
  EXPECT_LT(now_ - begin, IndexLock::kQuiet + 100ms);
}

TEST_F(WorktreeLoopTest, AQuestionThatIsPendingIsPutAgainAfterEachUpdateAndNoLongerThanTheLimit) {
  start();
  std::vector<Attempt> puts;
  const Task task = [&](WorktreeModel*, Attempt which) {
    puts.push_back(which);
    return which == Attempt::kFinal;
  };
  const auto asked = now_;
  turn(false, {task});
  EXPECT_EQ(puts.size(), 1u);
  turn(false);
  EXPECT_EQ(puts.size(), 1u) << "nothing happened";
  turn(true);
  EXPECT_EQ(puts, (std::vector<Attempt>{Attempt::kMayRetry, Attempt::kMayRetry}));
  EXPECT_EQ(loop_->due(), asked + options_.question_limit);
  next_turn();
  EXPECT_EQ(puts.back(), Attempt::kFinal);
  EXPECT_EQ(loop_->due(), WorktreeLoop::kNever);
  turn(true);
  EXPECT_EQ(puts.size(), 3u) << "it was answered";
}

TEST_F(WorktreeLoopTest, WhatAQuestionWaitsForIsNamedWithItsTime) {
  runner_ = std::make_shared<testing::FakeGitRunner>();
  start();
  std::string told;
  turn(false, {[&](WorktreeModel* model, Attempt which) {
         const Result<StatusResult> status = model->answer({});
         if (status.ok()) return true;
         if (which == Attempt::kFinal) told = loop_->still_waits(status.error()).message;
         return which == Attempt::kFinal;
       }});
  next_turn();
  while (told.empty() && loop_->due() != WorktreeLoop::kNever) next_turn();
  EXPECT_EQ(told, repo_.work() + ": waiting for git config, 30 s");
}

TEST_F(WorktreeLoopTest, WhatNoWatchTellsOfIsLookedAtEachSecond) {
  start();
  // From now on another host may write there too.
  tree_->tell_everything(false);
  tree_->lose_watches("mounted");
  turn(true);
  ASSERT_EQ(recorder_.seen().state.kind, Kind::kPolling);
  repo_.write("f", "22");
  const auto before = now_;
  next_turn();
  EXPECT_EQ(now_ - before, 1s);
  EXPECT_EQ(recorder_.seen().tracked.count("f"), 1u);
}

TEST_F(WorktreeLoopTest, WhatNobodySeesIsLookedForSeldomAndAtOnceWhenSomebodyDoes) {
  start();
  tree_->tell_everything(false);
  tree_->lose_watches("mounted");
  turn(true);
  configure([](auto& configuration) { configuration.visible = false; });
  repo_.write("f", "22");
  const auto before = now_;
  next_turn();
  EXPECT_EQ(now_ - before, 20s);
  EXPECT_EQ(recorder_.seen().tracked.count("f"), 1u);
  repo_.write("d/g", "22");
  now_ += 10s;
  configure([](auto& configuration) { configuration.visible = true; });
  EXPECT_LE(loop_->due(), now_);
  next_turn();
  EXPECT_EQ(recorder_.seen().tracked.count("d/g"), 1u);
}

TEST_F(WorktreeLoopTest, WhereAHintToldOfSomethingIsLookedAtAtOnce) {
  start();
  tree_->offer_hints(10);
  tree_->limit(0);
  tree_->lose_watches("none are left");
  turn(true);
  next_turn();
  ASSERT_EQ(tree_->hints(), 2u);
  const auto before = now_;
  repo_.write("d/g", "22");
  tree_->hint(at("d"));
  turn(true);
  next_turn();
  EXPECT_EQ(recorder_.seen().tracked.count("d/g"), 1u);
  EXPECT_EQ(now_, before);
}

// Independent of the number of events and questions.
TEST_F(WorktreeLoopTest, EventsNeitherCauseNorDelayALookAtWhatNoneTellsOf) {
  start();
  tree_->tell_everything(false);
  tree_->lose_watches("mounted");
  turn(true);
  repo_.write("f", "22");
  const auto before = now_;
  for (int i = 0; i < 9; ++i) {
    now_ += 100ms;
    tree_->mark(at("d"), "g");
    turn(true);
    EXPECT_TRUE(recorder_.seen().tracked.empty()) << "an event is a look at what it names";
  }
  next_turn();
  EXPECT_EQ(now_ - before, 1s);
  EXPECT_EQ(recorder_.seen().tracked.count("f"), 1u);
}

TEST_F(WorktreeLoopTest, AQuestionSeesWhatNoEventTells) {
  start();
  tree_->tell_everything(false);
  tree_->lose_watches("mounted");
  turn(true);
  repo_.write("f", "22");
  now_ += 10ms;
  size_t rows = 0;
  uint64_t looks = 0;
  const Task ask = [&](WorktreeModel* model, Attempt) {
    const Result<StatusResult> status = model->answer({});
    rows = status.ok() ? status->changed.size() : 0;
    looks = model->freshness().tree().work.lstats;
    return true;
  };
  turn(false, {ask});
  EXPECT_EQ(rows, 1u);
  const uint64_t after_one = looks;
  now_ += 10ms;
  turn(false, {ask, ask, ask});
  const uint64_t after_three = looks;
  now_ += 10ms;
  turn(false, {ask});
  EXPECT_EQ(looks - after_three, after_three - after_one) << "three at once cost what one does";
}

TEST_F(WorktreeLoopTest, LostEventsAreToldFirstAndThenEverythingIsLookedAt) {
  start();
  repo_.write("f", "22");
  tree_->desync("the queue was full");
  const size_t before = recorder_.seen().kinds.size();
  turn(true);
  const auto kinds = recorder_.seen().kinds;
  ASSERT_GE(kinds.size(), before + 2);
  EXPECT_EQ(kinds[before], Kind::kVerifying);
  EXPECT_EQ(kinds.back(), Kind::kWatching);
  EXPECT_EQ(recorder_.seen().tracked.count("f"), 1u);
}

TEST_F(WorktreeLoopTest, AQuestionSeesWhatAWatcherHasOnlyAfterABarrier) {
  start();
  now_ += 1ms;
  tree_->be_late();
  around_->be_late();
  repo_.write("f", "22");
  tree_->mark(repo_.work(), "f");
  size_t rows = 0;
  turn(false, {[&](WorktreeModel* model, Attempt) {
         const Result<StatusResult> status = model->answer({});
         rows = status.ok() ? status->changed.size() : 0;
         return status.ok() || status.error().code != ErrorCode::kPending;
       }});
  turn(true);
  EXPECT_EQ(rows, 0u) << "no turn waits for the barrier";
  tree_->pass_barriers();
  turn(true);
  EXPECT_EQ(rows, 1u);
}

// An event may be lost with it.
TEST_F(WorktreeLoopTest, ABarrierThatFailsMeansALookAtEverything) {
  start();
  now_ += 1ms;
  tree_->be_late();
  repo_.write("f", "22");
  const size_t before = recorder_.seen().kinds.size();
  bool is_answered = false;
  turn(false, {[&](WorktreeModel* model, Attempt) {
         is_answered = model->answer({}).ok();
         return is_answered;
       }});
  EXPECT_FALSE(is_answered);
  tree_->fail_sync("the watcher does not answer");
  turn(true);
  EXPECT_TRUE(is_answered);
  EXPECT_EQ(recorder_.seen().tracked.count("f"), 1u);
  ASSERT_GT(recorder_.seen().kinds.size(), before);
  EXPECT_EQ(recorder_.seen().kinds[before], Kind::kVerifying);
}

TEST_F(WorktreeLoopTest, TheSweepStepsWhileNobodyWantsATurn) {
  options_.configuration.sweep = 10min;
  start();
  // Like a store through mmap: no event.
  repo_.write("f", "22");
  const auto begin = now_;
  wanted_ = true;
  while (now_ - begin < 2min) {
    now_ += 10s;
    turn(false);
  }
  EXPECT_TRUE(recorder_.seen().tracked.empty());
  wanted_ = false;
  while (recorder_.seen().tracked.empty() && now_ - begin < 15min) next_turn();
  EXPECT_EQ(recorder_.seen().tracked.count("f"), 1u);
}

TEST_F(WorktreeLoopTest, AnotherTimeForTheSweepSendsTheStateAlone) {
  options_.configuration.sweep = 10min;
  start();
  const int replays = recorder_.seen().replays;
  const uint64_t before = version();
  configure([](auto& configuration) { configuration.sweep = 5min; });
  EXPECT_EQ(recorder_.seen().state.sweep.within, 5min);
  EXPECT_EQ(version(), before + 1);
  EXPECT_EQ(recorder_.seen().replays, replays);
  // The next round begins anew only with another time.
  const auto due = loop_->due();
  now_ += 1s;
  configure([](auto& configuration) { configuration.visible = false; });
  EXPECT_EQ(loop_->due(), due);
}

TEST_F(WorktreeLoopTest, ThatTheWorktreeIsGoneIsToldOnceAndNothingIsDueThen) {
  start();
  std::filesystem::rename(repo_.work(), repo_.path("elsewhere"));
  around_->mark(repo_.root(), std::filesystem::path(repo_.work()).filename().string());
  turn(true);
  turn(true);
  EXPECT_EQ(recorder_.seen().gone_calls, 1);
  EXPECT_EQ(loop_->due(), WorktreeLoop::kNever);
}

}  // namespace
}  // namespace resident
