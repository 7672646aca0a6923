#include "git/git_output_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

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
    Result<GitOutput> output = cache.run(arguments, options_);
    EXPECT_TRUE(output.ok());
    return output.ok() ? output->out : "";
  }

  RepoBuilder repo_;
  GitRunOptions options_;
};

TEST_F(GitOutputCacheTest, RunsOnceForEachQuestionUntilItForgets) {
  GitOutputCache cache;
  const std::string first = ask(cache, {"a", "b"});
  EXPECT_EQ(ask(cache, {"a", "b"}), first);
  EXPECT_NE(ask(cache, {"a b"}), first);
  EXPECT_EQ(cache.runs(), 2u);
  cache.forget();
  EXPECT_NE(ask(cache, {"a", "b"}), first);
  EXPECT_EQ(cache.runs(), 3u);
}

TEST_F(GitOutputCacheTest, DirectoryInputAndEnvironmentArePartOfTheQuestion) {
  GitOutputCache cache;
  ask(cache, {"a"});
  options_.input = "in";
  EXPECT_NE(ask(cache, {"a"}).find("in"), std::string::npos);
  options_.cwd = "/";
  EXPECT_NE(ask(cache, {"a"}).find("-C / a"), std::string::npos);
  options_.environment = {"VARIABLE=value"};
  EXPECT_NE(ask(cache, {"a"}).find("a value"), std::string::npos);
  EXPECT_EQ(cache.runs(), 4u);
}

TEST_F(GitOutputCacheTest, KeepsNoMoreBytesThanItMay) {
  GitOutputCache cache(400);
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
  GitOutputCache cache;
  testing::write_whole_file(options_.program, "#!/bin/sh\necho no >&2\nexit 3\n");
  for (int i = 0; i < 2; ++i) EXPECT_EQ(cache.run({"a"}, options_)->exit_code, 3);
  EXPECT_EQ(cache.runs(), 1u);
  options_.program = repo_.path("missing");
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(cache.run({"a"}, options_).ok());
  EXPECT_EQ(cache.runs(), 3u);
}

}  // namespace
}  // namespace resident
