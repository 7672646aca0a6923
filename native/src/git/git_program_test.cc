#include "git/git_program.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;

class GitProgramTest : public ::testing::Test {
 protected:
  GitProgramTest() : before_(std::getenv("PATH")) {}
  ~GitProgramTest() override { ::setenv("PATH", before_.c_str(), 1); }

  std::string install(const std::string& directory, mode_t mode = 0755) {
    std::filesystem::create_directories(repo_.path(directory));
    const std::string path = repo_.path(directory) + "/git";
    testing::write_whole_file(path, "#!/bin/sh\n");
    ::chmod(path.c_str(), mode);
    return path;
  }

  RepoBuilder repo_;
  const std::string before_;
};

TEST_F(GitProgramTest, IsTheFirstThatCanBeRun) {
  const std::string missing = repo_.path("missing");
  const std::string plain = install("plain", 0644);
  const std::string found = install("found");
  install("later");
  std::filesystem::create_directories(repo_.path("directory/git"));
  ::setenv("PATH",
           (missing + ":" + repo_.path("plain") + ":" + repo_.path("directory") + ":" +
            repo_.path("found") + ":" + repo_.path("later"))
               .c_str(),
           1);
  ASSERT_TRUE(git_on_path());
  EXPECT_EQ(git_on_path()->path, found);
  EXPECT_EQ(git_program_places(), (std::vector<std::string>{missing + "/git", plain,
                                                            repo_.path("directory/git"), found}));
}

TEST_F(GitProgramTest, AnEmptyNameInPathIsTheWorkingDirectory) {
  install("here");
  const std::filesystem::path from = std::filesystem::current_path();
  std::filesystem::current_path(repo_.path("here"));
  ::setenv("PATH", (repo_.path("missing") + ":").c_str(), 1);
  ASSERT_TRUE(git_on_path());
  EXPECT_EQ(git_on_path()->path, "./git");
  ::setenv("PATH", "", 1);
  ASSERT_TRUE(git_on_path());
  EXPECT_EQ(git_on_path()->path, "./git");
  std::filesystem::current_path(from);
}

TEST_F(GitProgramTest, IsAnotherOneWithOtherContentAndTheSameByAnotherLink) {
  const std::string path = install("a");
  ::setenv("PATH", repo_.path("a").c_str(), 1);
  const auto first = git_on_path();
  EXPECT_EQ(git_on_path(), first);
  testing::write_whole_file(path, "#!/bin/sh\n# longer\n");
  EXPECT_NE(git_on_path(), first);
  std::filesystem::remove(path);
  EXPECT_EQ(git_on_path(), std::nullopt);
}

}  // namespace
}  // namespace resident
