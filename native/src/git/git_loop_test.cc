#include "git/git_loop.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>

#include "os/thread_limit_test_support.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

class GitLoopTest : public ::testing::Test {
 protected:
  GitCommand script(const std::string& name, const std::string& body) {
    const std::string path = repo_.path(name);
    testing::write_whole_file(path, body);
    // Run through sh: a file cannot be executed while a child of another thread has it open for
    // writing.
    GitCommand command{.arguments = {path}};
    command.options.program = "/bin/sh";
    return command;
  }
  // Writes its pid to `<name>.pid`, and never ends by itself.
  GitCommand hanging(const std::string& name) {
    const std::string file = repo_.path(name + ".pid");
    return script(name, "trap '' TERM\necho $$ >" + file + ".new\nmv " + file + ".new " + file +
                            "\nwhile :; do sleep 1000; done\n");
  }
  pid_t process_of(const std::string& name) {
    const std::string file = repo_.path(name + ".pid");
    while (!std::filesystem::exists(file)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return static_cast<pid_t>(std::atoi(testing::read_whole_file(file).c_str()));
  }

  GitRunner::Done into(const std::string& name) {
    return [this, name](Result<GitOutput> output) {
      const std::lock_guard lock(mutex_);
      said_.emplace(name, std::move(output));
      changed_.notify_all();
    };
  }
  Result<GitOutput> await(const std::string& name) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return said_.contains(name); });
    return said_.at(name);
  }
  size_t said() {
    const std::lock_guard lock(mutex_);
    return said_.size();
  }

  testing::RepoBuilder repo_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Result<GitOutput>> said_;
};

TEST(GitLoop, SaysThatThereIsNoThreadForIt) {
  RESIDENT_NEEDS_ROOT();
  testing::in_child([] {
    testing::allow_no_more_threads();
    const auto loop = GitLoop::of_process();
    ASSERT_FALSE(loop.ok());
    EXPECT_EQ(loop.error().message, "cannot start a thread: Resource temporarily unavailable");
  });
}

TEST_F(GitLoopTest, SaysWhatGitSays) {
  auto loop = GitLoop::of_process().value();
  GitCommand command{.arguments = {"hash-object", "--stdin"}, .input = std::string()};
  loop->start(command, into("hash"));
  loop->start(script("fails", "echo out\necho err >&2\nexit 3\n"), into("fails"));
  GitCommand missing;
  missing.options.program = repo_.path("missing");
  loop->start(missing, into("missing"));
  EXPECT_EQ(await("hash")->out, "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\n");
  EXPECT_EQ(await("fails")->exit_code, 3);
  EXPECT_EQ(await("fails")->err, "err\n");
  EXPECT_EQ(await("missing").error().code, ErrorCode::kNotFound);
}

TEST_F(GitLoopTest, OneThatHangsKeepsNobodyWaitingOnceItIsNotYoungAnyMore) {
  auto loop = GitLoop::make({.at_once = 1, .young = std::chrono::milliseconds(20)}).value();
  const auto number = loop->start(hanging("hangs"), into("hangs"));
  loop->start(script("other", "echo out\n"), into("other"));
  EXPECT_EQ(await("other")->out, "out\n");
  const pid_t process = process_of("hangs");
  loop->cancel(number);
  while (::kill(process, 0) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(said(), 1u) << "nobody is told of what was cancelled";
}

TEST_F(GitLoopTest, NoMoreRunThanMay) {
  auto loop =
      GitLoop::make({.at_once = 8, .young = std::chrono::milliseconds(0), .all = 2}).value();
  const auto first = loop->start(hanging("1"), into("1"));
  loop->start(hanging("2"), into("2"));
  loop->start(script("3", "echo out\n"), into("3"));
  process_of("1");
  process_of("2");
  EXPECT_EQ(said(), 0u);
  loop->cancel(first);
  EXPECT_EQ(await("3")->out, "out\n");
}

TEST_F(GitLoopTest, WhatIsQueuedCanBeCancelled) {
  auto loop = GitLoop::make({.all = 1}).value();
  const auto first = loop->start(hanging("1"), into("1"));
  process_of("1");
  const auto second = loop->start(script("2", "echo out\n"), into("2"));
  loop->start(script("3", "echo out\n"), into("3"));
  loop->cancel(second);
  loop->cancel(first);
  EXPECT_TRUE(await("3").ok());
  EXPECT_EQ(said(), 1u);
}

TEST_F(GitLoopTest, ItsEndEndsWhatRuns) {
  auto loop = GitLoop::make({}).value();
  loop->start(hanging("hangs"), into("hangs"));
  const pid_t process = process_of("hangs");
  loop.reset();
  EXPECT_NE(::kill(process, 0), 0);
  EXPECT_EQ(said(), 0u);
}

TEST_F(GitLoopTest, MuchInputAndOutputOfManyAtOnce) {
  auto loop = GitLoop::of_process().value();
  repo_.init();
  repo_.write(".gitignore", "*.o\n");
  std::string input;
  for (int i = 0; i < 50'000; ++i) input += "some/path/number" + std::to_string(i) + ".o\n";
  for (int i = 0; i < 20; ++i) {
    GitCommand command{
        .arguments = {"check-ignore", "--stdin"}, .options = {.cwd = repo_.work()}, .input = input};
    loop->start(std::move(command), into(std::to_string(i)));
  }
  for (int i = 0; i < 20; ++i) EXPECT_EQ(await(std::to_string(i))->out, input);
}

}  // namespace
}  // namespace resident
