// A worktree that gets another repository.
#include <filesystem>
#include <utility>

#include "service/worktree_loop_test_support.h"

namespace resident {
namespace {

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
