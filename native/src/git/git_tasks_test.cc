#include "git/git_tasks.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testing/fake_git_runner.h"

namespace resident {
namespace {

class GitTasksTest : public ::testing::Test {
 protected:
  GitTasks::RequestId start(const std::string& name, uint64_t files = 0) {
    return tasks_.start({.arguments = {name}}, {name, files}, [this](Result<GitOutput> output) {
      taken_.push_back(output.ok() ? output->out : output.error().message);
    });
  }
  void answer(const std::string& out) { runner_->answer(GitOutput{0, out, ""}); }

  int wakes_ = 0;
  std::vector<std::string> taken_;
  const std::shared_ptr<testing::FakeGitRunner> runner_ =
      std::make_shared<testing::FakeGitRunner>();
  GitTasks tasks_{runner_, [this] { ++wakes_; }};
};

TEST_F(GitTasksTest, AnAnswerWakesAndIsHandedOverWhenAskedFor) {
  const auto next = tasks_.next();
  EXPECT_EQ(start("a"), next);
  EXPECT_FALSE(tasks_.deliver());
  answer("1");
  EXPECT_EQ(wakes_, 1);
  EXPECT_TRUE(taken_.empty());
  EXPECT_TRUE(tasks_.deliver());
  EXPECT_EQ(taken_, std::vector<std::string>{"1"});
  EXPECT_TRUE(tasks_.empty());
}

TEST_F(GitTasksTest, FewRunAtOnceAndAllGetTheirTurn) {
  for (int i = 0; i < 10; ++i) start(std::to_string(i));
  EXPECT_EQ(runner_->waiting(), 4u);
  for (int i = 0; i < 10; ++i) {
    answer(runner_->command(0).arguments.front());
    tasks_.deliver();
  }
  EXPECT_EQ(taken_, (std::vector<std::string>{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}));
}

TEST_F(GitTasksTest, WhatIsCancelledIsNotHandedOver) {
  const auto first = start("1");
  start("2");
  const auto last = start("3");
  answer("1");
  tasks_.cancel(first);
  tasks_.cancel(last);
  EXPECT_EQ(runner_->cancelled(), 1u);
  answer("2");
  tasks_.deliver();
  EXPECT_EQ(taken_, std::vector<std::string>{"2"});
  EXPECT_TRUE(tasks_.empty());
  // Their places are free again.
  for (int i = 0; i < 4; ++i) start("more");
  EXPECT_EQ(runner_->waiting(), 4u);
}

TEST_F(GitTasksTest, NamesWhatHasBeenAwaitedLongest) {
  EXPECT_FALSE(tasks_.longest_awaited());
  start("filter a", 3);
  start("filter b", 5);
  start("filter a", 4);
  EXPECT_EQ(tasks_.longest_awaited()->subject.name, "filter a");
  EXPECT_EQ(tasks_.longest_awaited()->subject.files, 7u);
  answer("");
  tasks_.deliver();
  EXPECT_EQ(tasks_.longest_awaited()->subject.name, "filter b");
}

TEST_F(GitTasksTest, ItsEndCancelsWhatIsUnderWay) {
  {
    GitTasks others(runner_, [this] { ++wakes_; });
    others.start({.arguments = {"x"}}, {"x"}, [](const Result<GitOutput>&) { FAIL(); });
  }
  EXPECT_EQ(runner_->cancelled(), 1u);
  EXPECT_EQ(wakes_, 0);
}

TEST(GitTasksInPlace, RunsThemWhenTheirAnswersAreAskedFor) {
  GitTasks tasks(nullptr, {});
  std::string said;
  tasks.start({.arguments = {"version"}}, {"git version"}, [&](const Result<GitOutput>& first) {
    said = first->out;
    tasks.start({.arguments = {"version"}}, {"git version"},
                [&](const Result<GitOutput>& second) { said += second->out; });
  });
  EXPECT_TRUE(tasks.deliver());
  EXPECT_EQ(said.find("git version "), 0u);
  EXPECT_NE(said.find("git version ", 1), std::string::npos);
  EXPECT_FALSE(tasks.deliver());
}

}  // namespace
}  // namespace resident
