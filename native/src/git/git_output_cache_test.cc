#include "git/git_output_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "testing/fake_git_runner.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;

class GitOutputCacheTest : public ::testing::Test {
 protected:
  GitOutputCacheTest() {
    // Says how often it was called before, its directory, its words and its input.
    const std::string count = repo_.path("count");
    options_.program = repo_.path("program");
    testing::write_whole_file(options_.program, "#!/bin/sh\necho x >>" + count + "\nwc -l <" +
                                                    count +
                                                    "\npwd\necho \"$@\" \"$VARIABLE\"\ncat\n");
    ::chmod(options_.program.c_str(), 0755);
  }

  std::string ask(GitOutputCache& cache, const std::vector<std::string>& arguments) {
    Result<GitOutput> output = try_to_ask(cache, arguments);
    EXPECT_TRUE(output.ok());
    return output.ok() ? output->out : "";
  }

  Result<GitOutput> try_to_ask(GitOutputCache& cache, const std::vector<std::string>& arguments) {
    return cache.ask({arguments, options_, input_}, {"git"}, tasks_.next());
  }

  RepoBuilder repo_;
  GitRunOptions options_;
  std::optional<std::string> input_;
  GitTasks tasks_{nullptr, {}};
};

TEST_F(GitOutputCacheTest, RunsOnceForEachQuestionUntilItForgets) {
  GitOutputCache cache(tasks_);
  const std::string first = ask(cache, {"a", "b"});
  EXPECT_EQ(ask(cache, {"a", "b"}), first);
  EXPECT_NE(ask(cache, {"a b"}), first);
  EXPECT_EQ(cache.runs(), 2u);
  cache.forget();
  EXPECT_NE(ask(cache, {"a", "b"}), first);
  EXPECT_EQ(cache.runs(), 3u);
}

TEST_F(GitOutputCacheTest, DirectoryInputAndEnvironmentArePartOfTheQuestion) {
  GitOutputCache cache(tasks_);
  ask(cache, {"a"});
  input_ = "in";
  EXPECT_NE(ask(cache, {"a"}).find("in"), std::string::npos);
  options_.cwd = "/";
  EXPECT_NE(ask(cache, {"a"}).find("-C / a"), std::string::npos);
  options_.environment = {"VARIABLE=value"};
  EXPECT_NE(ask(cache, {"a"}).find("a value"), std::string::npos);
  EXPECT_EQ(cache.runs(), 4u);
}

TEST_F(GitOutputCacheTest, OfWhatIsDigestedNothingElseIsKept) {
  GitOutputCache cache(tasks_, 800);
  testing::write_whole_file(options_.program, "#!/bin/sh\nhead -c 1000 /dev/zero\n");
  const auto length = [](std::string_view out) { return std::to_string(out.size()); };
  for (int i = 0; i < 2; ++i) {
    const auto output = cache.ask({{"a"}, options_, {}}, {"git"}, tasks_.next(), length);
    ASSERT_TRUE(output.ok());
    EXPECT_EQ(output->out, "1000");
  }
  EXPECT_EQ(cache.runs(), 1u);
  for (int i = 0; i < 2; ++i) ask(cache, {"b"});
  EXPECT_EQ(cache.runs(), 3u) << "it is too much to be kept whole";
}

TEST_F(GitOutputCacheTest, KeepsNoMoreBytesThanItMay) {
  GitOutputCache cache(tasks_, 400);
  const std::string text(100, 't');
  options_.cwd = "/";
  const auto kept = [&](const std::string& name) {
    const uint64_t before = cache.runs();
    ask(cache, {name + text});
    return cache.runs() == before;
  };
  EXPECT_FALSE(kept("1"));
  EXPECT_TRUE(kept("1"));
  EXPECT_FALSE(kept("2"));
  // The oldest goes.
  EXPECT_TRUE(kept("2"));
  EXPECT_FALSE(kept("1"));
  // Alone it is too much.
  EXPECT_FALSE(kept(std::string(400, '3')));
  EXPECT_FALSE(kept(std::string(400, '3')));
  EXPECT_TRUE(kept("1"));
}

TEST_F(GitOutputCacheTest, ARefusalIsKeptAndAFailureToRunIsNot) {
  GitOutputCache cache(tasks_);
  testing::write_whole_file(options_.program, "#!/bin/sh\necho no >&2\nexit 3\n");
  for (int i = 0; i < 2; ++i) EXPECT_EQ(try_to_ask(cache, {"a"})->exit_code, 3);
  EXPECT_EQ(cache.runs(), 1u);
  options_.program = repo_.path("missing");
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(try_to_ask(cache, {"a"}).ok());
  EXPECT_EQ(cache.runs(), 3u);
}

// --- In the background

class GitOutputCacheLaterTest : public ::testing::Test {
 protected:
  std::string ask(GitTasks::RequestId since) {
    Result<GitOutput> said = cache_.ask(command_, {"git"}, since);
    if (said.ok()) return said->out;
    EXPECT_EQ(said.error().code, ErrorCode::kPending);
    return "pending";
  }
  void answer(const std::string& out) {
    runner_->answer(GitOutput{0, out, ""});
    EXPECT_TRUE(tasks_.deliver());
  }

  const std::shared_ptr<testing::FakeGitRunner> runner_ =
      std::make_shared<testing::FakeGitRunner>();
  GitTasks tasks_{runner_, {}};
  GitOutputCache cache_{tasks_};
  const GitCommand command_{.arguments = {"status"}};
};

TEST_F(GitOutputCacheLaterTest, IsAskedAgainUntilTheAnswerIsThere) {
  const auto since = tasks_.next();
  EXPECT_EQ(ask(since), "pending");
  EXPECT_EQ(ask(since), "pending");
  EXPECT_EQ(cache_.runs(), 1u);
  answer("1");
  EXPECT_EQ(ask(since), "1");
  EXPECT_EQ(ask(tasks_.next()), "1") << "nothing changed since";
  EXPECT_EQ(cache_.runs(), 1u);
}

TEST_F(GitOutputCacheLaterTest, WhatWasAskedBeforeAChangeAnswersWhoAskedBeforeOnly) {
  const auto early = tasks_.next();
  EXPECT_EQ(ask(early), "pending");
  cache_.forget();
  const auto late = tasks_.next();
  EXPECT_EQ(ask(late), "pending");
  EXPECT_EQ(cache_.runs(), 1u) << "one at a time";
  answer("old");
  EXPECT_EQ(ask(early), "old");
  EXPECT_EQ(ask(late), "pending");
  EXPECT_EQ(*cache_.last_said(command_, 0)->value().out.c_str(), 'o');
  answer("new");
  EXPECT_EQ(ask(late), "new");
  EXPECT_EQ(ask(early), "new");
  EXPECT_EQ(cache_.runs(), 2u);
}

TEST_F(GitOutputCacheLaterTest, KeepsWhatIsForgottenUntilNobodyWaits) {
  const auto since = tasks_.next();
  EXPECT_EQ(ask(since), "pending");
  answer("1");
  cache_.forget();
  EXPECT_EQ(ask(since), "1");
  cache_.drop_forgotten();
  EXPECT_EQ(ask(since), "pending");
}

}  // namespace
}  // namespace resident
