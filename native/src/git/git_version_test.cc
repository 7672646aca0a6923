#include "git/git_version.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;

TEST(GitVersion, IsReadFromWhatGitSays) {
  EXPECT_EQ(parse_git_version("git version 2.39.5\n"), (GitVersion{2, 39, 5}));
  EXPECT_EQ(parse_git_version("git version 2.37.1 (Apple Git-137.1)\n"), (GitVersion{2, 37, 1}));
  EXPECT_EQ(parse_git_version("git version 2.45.3.windows.1\n"), (GitVersion{2, 45, 3}));
  EXPECT_EQ(parse_git_version("git version 2.39.5.7.gabcdef0.dirty\n"), (GitVersion{2, 39, 5}));
  EXPECT_EQ(parse_git_version("git version 2.55.0.rc1\n"), (GitVersion{2, 55, 0}));
  EXPECT_EQ(parse_git_version("git version 2.47.GIT\n"), (GitVersion{2, 47, 0}));
  EXPECT_EQ(parse_git_version("git version 2.30\n"), (GitVersion{2, 30, 0}));
  EXPECT_EQ(parse_git_version("git version 3.0-rc1\n"), (GitVersion{3, 0}));
  for (const char* bad :
       {"", "git version ", "git version x", "git version 2", "git version 2.", "version 2.3",
        "git version 99999999999.1", "git version -2.30", "git version 2.-3"}) {
    EXPECT_EQ(parse_git_version(bad), std::nullopt) << bad;
  }
  EXPECT_LT((GitVersion{2, 39}), (GitVersion{2, 40}));
  EXPECT_LT((GitVersion{2, 39}), (GitVersion{3, 0}));
  EXPECT_LT((GitVersion{2, 43, 0}), (GitVersion{2, 43, 1}));
  EXPECT_EQ(to_string(GitVersion{2, 43, 1}), "2.43.1");
}

TEST(GitVersion, IsAskedOncePerProgram) {
  RepoBuilder repo;
  const std::string log = repo.path("calls");
  const std::string before = std::getenv("PATH");
  const auto install = [&](const char* directory, const char* version) {
    std::filesystem::create_directories(repo.path(directory));
    const std::string path = repo.path(directory) + "/git";
    testing::write_whole_file(
        path, "#!/bin/sh\necho x >>'" + log + "'\necho git version " + std::string(version) + "\n");
    ::chmod(path.c_str(), 0755);
    ::setenv("PATH", (repo.path(directory) + ":" + before).c_str(), 1);
  };
  const auto asked = [&] { return testing::read_whole_file(log).size() / 2; };
  install("old", "2.20.1");
  for (int i = 0; i < 3; ++i) {
    auto version = git_version();
    ASSERT_TRUE(version.ok());
    EXPECT_EQ(*version, (GitVersion{2, 20, 1}));
  }
  EXPECT_EQ(asked(), 1u);
  install("new", "2.50.10");
  auto version = git_version();
  ASSERT_TRUE(version.ok());
  EXPECT_EQ(*version, (GitVersion{2, 50, 10}));
  EXPECT_EQ(asked(), 2u);
  install("bad", "unknown");
  EXPECT_FALSE(git_version().ok());
  ::setenv("PATH", repo.path("nowhere").c_str(), 1);
  EXPECT_FALSE(git_version().ok());
  ::setenv("PATH", before.c_str(), 1);
}

}  // namespace
}  // namespace resident
