// The turns of a kept worktree, stepped through time. The test decides the kernel's queue, git's
// answers, the clock and the turns.
#include "service/worktree_loop.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <utility>

#include "fs/linux/posix_file_system.h"
#include "service/resident_test_support.h"
#include "testing/counting_file_system.h"
#include "testing/fake_git_runner.h"
#include "testing/fake_watcher.h"

namespace resident {
namespace {

using namespace std::chrono_literals;

class WorktreeLoopTest : public ::testing::Test {
 protected:
  using Task = WorktreeLoop::Task;
  using Attempt = WorktreeLoop::Attempt;
  using Kind = ModelState::Kind;

  WorktreeLoopTest() : environment_(repo_.root()) {
    repo_.set_environment("GIT_OPTIONAL_LOCKS", "0");
    repo_.init();
    repo_.write("f", "0");
    repo_.write("d/g", "0");
    repo_.git({"add", "-A"});
    repo_.git({"commit", "-q", "-m", "1"});
    options_.configuration.sweep = 0ms;
    options_.threads = 1;
  }

  void start() {
    WorktreeLoop::Platform platform{
        fs_, [this](std::function<void()>) {
          auto watcher = std::make_unique<testing::FakeWatcher>(posix_file_system());
          // A model takes a watcher for its tree, then a watcher for the files around it.
          (made_++ % 2 ? around_ : tree_) = watcher.get();
          return watcher;
        }};
    platform.mounts_changed = [] { return false; };
    platform.host_events = [] { return HostWatch::Events{}; };
    platform.git = runner_;
    platform.now = [this] { return now_; };
    platform.pause_reason = [] { return PauseReason::kNone; };
    WorktreeLoop::Owner owner;
    owner.wake = [this] { ++wakes_; };
    owner.metadata_wake = owner.wake;
    owner.is_wanted = [this] { return wanted_; };
    owner.is_stopping = [] { return false; };
    owner.moved = [this](const Repository& repository) { moved_.push_back(repository.git_dir); };
    loop_ = std::make_unique<WorktreeLoop>(std::move(platform), std::move(owner),
                                           testing::value_of(discover(repo_.work())), options_,
                                           recorder_);
    loop_->scan();
    loop_->tell_first();
    settle();
  }
  // Runs turns until no turn is requested.
  void settle() {
    for (int turns = 0; std::exchange(wakes_, 0) > 0 && turns < 10; ++turns) turn(true);
  }
  void turn(bool update, const std::vector<Task>& tasks = {}) {
    std::vector<WorktreeLoop::PostedTask> posted;
    for (const Task& task : tasks) posted.push_back({task, now_});
    loop_->turn(std::move(posted), update);
  }
  // Advances the clock to the next due time and runs that turn.
  void next_turn() {
    ASSERT_NE(loop_->due(), WorktreeLoop::kNever);
    now_ = std::max(now_, loop_->due());
    turn(false);
  }
  template <typename Change>
  void configure(const Change& change) {
    change(options_.configuration);
    loop_->configure(options_.configuration);
  }
  uint64_t version() { return recorder_.seen().version; }
  std::string at(const std::string& path) const { return repo_.work() + "/" + path; }

  testing::RepoBuilder repo_;
  testing::HermeticEnvironment environment_;
  testing::CountingFileSystem fs_;
  testing::Recorder recorder_;
  Resident::Options options_;
  std::shared_ptr<testing::FakeGitRunner> runner_;  // null: git runs in place
  WorktreeLoop::Clock::time_point now_{1h};
  int wakes_ = 0;
  bool wanted_ = false;
  int made_ = 0;  // watchers
  std::vector<std::string> moved_;
  testing::FakeWatcher* tree_ = nullptr;
  testing::FakeWatcher* around_ = nullptr;
  std::unique_ptr<WorktreeLoop> loop_;
};

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

// Files that change while they are read.
class ChangesUnderUpdateTest : public WorktreeLoopTest {
 protected:
  // Starts at the commit before the last one, which changed many files.
  void start_before_last_commit() {
    for (const char* content : {"before", "after"}) {
      for (int i = 0; i < kFiles; ++i) repo_.write(path_of(i), content);
      repo_.git({"add", "-A"});
      repo_.git({"commit", "-q", "-m", content});
    }
    index_ = repo_.read(".git/index");
    head_ = repo_.git_line({"rev-parse", "HEAD"});
    repo_.git({"reset", "-q", "--hard", "HEAD~1"});
    start();
  }
  // Like a checkout of the last commit: HEAD moves during the slow check of the files.
  void check_out_slowly() {
    for (int i = 0; i < kFiles; ++i) {
      repo_.write(path_of(i), "after");
      tree_->mark(at("m"), "f" + std::to_string(i));
    }
    repo_.write(".git/index", index_);
    around_->mark(at(".git"), "index");
    on_stat("m/", [this] {
      if (++looks_ != kFiles / 2) return;
      repo_.write(".git/refs/heads/main", head_);
      around_->mark(at(".git/refs/heads"), "main");
      now_ += 10ms;
    });
  }
  // Calls `hook` before each stat of a path from the root that starts with `start`.
  void on_stat(const std::string& start, const std::function<void()>& hook) {
    fs_.set_fault([=](auto call, std::string_view path) -> std::optional<Error> {
      if (call == testing::CountingFileSystem::Call::kStat && path.starts_with(start)) hook();
      return std::nullopt;
    });
  }
  // Returns how often an update reads a file that changes during each update.
  int updates_of(std::chrono::milliseconds duration) {
    int updates = 0;
    on_stat("f", [&] {
      ++updates;
      now_ += duration;
      repo_.write("f", std::to_string(updates));
      tree_->mark(repo_.work(), "f");
    });
    tree_->mark(repo_.work(), "f");
    turn(true);
    fs_.set_fault({});
    return updates;
  }
  static std::string path_of(int i) { return "m/f" + std::to_string(i); }

  static constexpr int kFiles = 20;
  std::string index_;
  std::string head_;
  int looks_ = 0;
};

TEST_F(ChangesUnderUpdateTest, ADeltaComesFromAnUpdateUnderWhichNothingChanged) {
  start_before_last_commit();
  const uint64_t before = version();
  check_out_slowly();
  turn(true);
  EXPECT_GE(looks_, kFiles);
  EXPECT_EQ(version(), before + 1);
  EXPECT_TRUE(recorder_.seen().tracked.empty());
}

TEST_F(ChangesUnderUpdateTest, SoDoesAnAnswer) {
  start_before_last_commit();
  const uint64_t before = version();
  check_out_slowly();
  std::optional<size_t> rows;
  turn(false, {[&](WorktreeModel* model, Attempt) {
         EXPECT_TRUE(loop_->update_until_quick().ok());
         rows = testing::value_of(model->answer({})).changed.size();
         return true;
       }});
  EXPECT_GE(looks_, kFiles);
  EXPECT_EQ(rows, 0u);
  EXPECT_EQ(version(), before + 1);
}

TEST_F(ChangesUnderUpdateTest, UpdatesEndAlthoughFilesKeepChanging) {
  start();
  EXPECT_EQ(updates_of(9ms), 1);
  EXPECT_EQ(updates_of(10ms), 4);
  EXPECT_EQ(updates_of(600ms), 3);
  EXPECT_EQ(updates_of(2s), 2);
}

TEST_F(ChangesUnderUpdateTest, OneSlowUpdateIsEnoughWhileGitHoldsTheIndexsLock) {
  start();
  const uint64_t before = version();
  int updates = 0;
  on_stat("f", [&] {
    ++updates;
    now_ += 10ms;
    repo_.write(".git/index.lock", "");
  });
  repo_.write("f", "22");
  tree_->mark(repo_.work(), "f");
  turn(true);
  EXPECT_EQ(updates, 1);
  EXPECT_EQ(version(), before);
  fs_.set_fault({});
  std::filesystem::remove(at(".git/index.lock"));
  next_turn();
  EXPECT_EQ(recorder_.seen().tracked, (std::map<std::string, char>{{"f", 'M'}}));
}

class MovedRepositoryTest : public WorktreeLoopTest {
 protected:
  MovedRepositoryTest() { runner_ = std::make_shared<testing::FakeGitRunner>(); }

  // Starts, and answers the model's first requests to git.
  void start_answered() {
    start();
    for (int turns = 0; turns < 10 && runner_->answer_all() > 0; ++turns) turn(true);
    ASSERT_EQ(recorder_.seen().state.kind, Kind::kWatching);
  }
  void move_git_dir(const std::string& to) {
    const std::string from = moved_.empty() ? at(".git") : moved_.back();
    std::filesystem::rename(from, repo_.path(to));
    std::filesystem::remove(at(".git"));
    point_to(to);
  }
  void point_to(const std::string& git_dir) {
    repo_.write(".git", "gitdir: " + repo_.path(git_dir) + "\n");
    mark_dot_git();
  }
  void mark_dot_git() { around_->mark(repo_.work(), ".git"); }
  Task question() {
    return [this](WorktreeModel* model, Attempt which) {
      Result<StatusResult> status = model->answer({});
      const bool waits = !status.ok() && status.error().code == ErrorCode::kPending;
      if (waits && which == Attempt::kMayRetry) return false;
      answers_.push_back(std::move(status));
      return true;
    };
  }
  // git answers its requests in each turn.
  void answer_question(int most_turns = 10) {
    for (int turns = 0; answers_.empty() && turns < most_turns; ++turns) {
      runner_->answer_all();
      turn(true);
    }
  }

  std::vector<Result<StatusResult>> answers_;
};

TEST_F(MovedRepositoryTest, IsOpenedAgainWithinTheQuestionThatFindsIt) {
  start_answered();
  repo_.write("f", "22");
  move_git_dir("moved");
  turn(false, {question()});
  EXPECT_TRUE(answers_.empty());
  answer_question();
  ASSERT_EQ(answers_.size(), 1u);
  ASSERT_TRUE(answers_[0].ok()) << answers_[0].error().message;
  EXPECT_EQ(answers_[0]->changed.size(), 1u);
  EXPECT_EQ(moved_, std::vector<std::string>{repo_.path("moved")});
}

TEST_F(MovedRepositoryTest, IsComputedAgainAndToldFromVersionZero) {
  start_answered();
  const int replays = recorder_.seen().replays;
  const size_t kinds = recorder_.seen().kinds.size();
  repo_.write("new", "");
  move_git_dir("moved");
  turn(true);
  EXPECT_EQ(recorder_.seen().replays, replays) << "what was told stays";
  for (int turns = 0; turns < 10; ++turns) {
    runner_->answer_all();
    turn(true);
  }
  EXPECT_EQ(recorder_.seen().replays, replays + 1);
  EXPECT_EQ(recorder_.seen().git_dir, repo_.path("moved"));
  EXPECT_EQ(recorder_.seen().untracked, (std::set<std::string>{"new"}));
  const std::vector<Kind> told = recorder_.seen().kinds;
  EXPECT_EQ(std::vector<Kind>(told.begin() + kinds, told.end()), std::vector<Kind>{Kind::kWatching})
      << "nothing is told of a scan that is not over";
  // Later changes need no git.
  const size_t asked = runner_->started();
  repo_.write("f", "22");
  tree_->mark(repo_.work(), "f");
  turn(true, {question()});
  ASSERT_EQ(answers_.size(), 1u);
  EXPECT_EQ(recorder_.seen().tracked, (std::map<std::string, char>{{"f", 'M'}}));
  EXPECT_EQ(runner_->started(), asked);
}

TEST_F(MovedRepositoryTest, AQuestionIsAnsweredWhereTheRepositoryMovesOnMeanwhile) {
  start_answered();
  move_git_dir("one");
  turn(false, {question()});
  answer_question(1);
  ASSERT_EQ(moved_.size(), 1u);
  move_git_dir("two");
  answer_question();
  ASSERT_EQ(answers_.size(), 1u);
  EXPECT_TRUE(answers_[0].ok()) << answers_[0].error().message;
  EXPECT_EQ(moved_, (std::vector<std::string>{repo_.path("one"), repo_.path("two")}));
}

TEST_F(MovedRepositoryTest, AQuestionEndsWhereItNeverStopsMoving) {
  start_answered();
  move_git_dir("0");
  turn(false, {question()});
  const auto end = now_ + options_.question_limit;
  for (int i = 1; answers_.empty() && now_ <= end; ++i) {
    std::filesystem::rename(repo_.path(std::to_string(i - 1)), repo_.path(std::to_string(i)));
    point_to(std::to_string(i));
    now_ += 1s;
    turn(true);
  }
  ASSERT_EQ(answers_.size(), 1u);
  EXPECT_FALSE(answers_[0].ok());
  EXPECT_TRUE(moved_.empty());
}

TEST_F(MovedRepositoryTest, WhatIsNowhereIsLeftToGitUntilItIsFound) {
  start_answered();
  std::filesystem::rename(at(".git"), repo_.path("away"));
  mark_dot_git();
  turn(false, {question()});
  answer_question();
  ASSERT_EQ(answers_.size(), 1u);
  EXPECT_FALSE(answers_[0].ok());
  EXPECT_TRUE(moved_.empty());
  answers_.clear();
  point_to("away");
  turn(false, {question()});
  answer_question();
  ASSERT_EQ(answers_.size(), 1u);
  EXPECT_TRUE(answers_[0].ok()) << answers_[0].error().message;
  EXPECT_EQ(moved_, std::vector<std::string>{repo_.path("away")});
}

}  // namespace
}  // namespace resident
