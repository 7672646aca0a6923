// Runs git-resident and git side by side.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "git/git_command.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;
using Arguments = RepoBuilder::Arguments;

class StatusCommandTest : public ::testing::Test {
 protected:
  StatusCommandTest() {
    ::setenv("HOME", repo_.root().c_str(), 1);
    ::setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    ::setenv("LC_ALL", "C", 1);
    repo_.init();
  }

  GitOutput run(const std::string& program, const Arguments& arguments,
                const std::string& directory) {
    // A shell changes the directory, because git-resident takes its own from the process.
    Arguments command = {"-c", "cd \"$0\" && exec \"$@\"", repo_.path(directory), program};
    command.insert(command.end(), arguments.begin(), arguments.end());
    auto output = run_git(command, {.program = "sh", .environment = environment_});
    EXPECT_TRUE(output.ok()) << output.error().message;
    return output.ok() ? *std::move(output) : GitOutput{};
  }

  void expect_as_git(const Arguments& options, const std::string& directory = "repo") {
    Arguments theirs = {"status"};
    theirs.insert(theirs.end(), options.begin(), options.end());
    Arguments ours = theirs;
    ours.insert(ours.begin() + 1, "--source=scan");
    GitOutput git = run("git", theirs, directory);
    GitOutput resident = run(GIT_RESIDENT, ours, directory);
    SCOPED_TRACE(::testing::PrintToString(options));
    EXPECT_EQ(resident.out, git.out);
    EXPECT_EQ(resident.err, git.err);
    EXPECT_EQ(resident.exit_code, git.exit_code);
  }

  RepoBuilder repo_;
  std::vector<std::string> environment_;
};

TEST_F(StatusCommandTest, EqualsGit) {
  repo_.write("file", "1");
  repo_.write("sub/f", "1");
  repo_.git({"add", "-A"});
  repo_.git({"commit", "-qm", "x"});
  repo_.write("file", "2");
  repo_.write("sub/new name", "2");
  for (const Arguments& options : {Arguments{},
                                   {"-s"},
                                   {"-sb"},
                                   {"--porcelain=v2", "-b"},
                                   {"--porcelain", "-z"},
                                   {"-v"},
                                   {"-s", "file"},
                                   {"--column"},
                                   {"--bogus"},
                                   {"--porcelain=v3"},
                                   {"-uwhat"},
                                   {"-h"}}) {
    expect_as_git(options);
    expect_as_git(options, "repo/sub");
  }
}

TEST_F(StatusCommandTest, RefusesWithGitsWords) {
  expect_as_git({"-s"}, ".");
  expect_as_git({"-s"}, "repo/.git");
  repo_.write(".git/config", "[core\n");
  expect_as_git({"-s"});
  repo_.write(".git/config", "[core]\n\trepositoryformatversion = 99\n");
  expect_as_git({"-s"});
  repo_.write(".git/config", "[status]\n\tshort = perhaps\n");
  expect_as_git({"-s"});
  repo_.write(".git/config", "");
  environment_ = {"GIT_TEST_ASSUME_DIFFERENT_OWNER=1"};
  expect_as_git({"-s"});
}

TEST_F(StatusCommandTest, SaysWhenNoProcessKeepsTheWorktree) {
  GitOutput output = run(GIT_RESIDENT, {"status", "-s", "--source=resident"}, "repo");
  EXPECT_EQ(output.exit_code, 128);
  EXPECT_NE(output.err.find(repo_.work()), std::string::npos);
  EXPECT_EQ(output.out, "");
  output = run(GIT_RESIDENT, {"status", "--source=disk"}, "repo");
  EXPECT_EQ(output.exit_code, 129);
}

TEST_F(StatusCommandTest, IsAsLoudAsGit) {
  repo_.write("file", "1");
  repo_.git({"add", "file"});
  repo_.write(".git/objects/info/alternates", "/not/there\n");
  expect_as_git({"-s"});
  repo_.write(".git/objects/info/alternates", "");
  repo_.write(".git/index", "garbage");
  expect_as_git({"-s"});
}

TEST_F(StatusCommandTest, EndsWhereGitOnPathIsItself) {
  repo_.write("../bin/git",
              "#!/bin/sh\n[ \"$1\" = status ] || exec env PATH=\"${PATH#*:}\" git \"$@\"\n"
              "exec \"" GIT_RESIDENT "\" \"$@\"\n");
  std::filesystem::permissions(repo_.path("bin/git"), std::filesystem::perms::owner_all);
  environment_ = {"PATH=" + repo_.path("bin") + ":" + std::getenv("PATH")};
  repo_.write(".git/index", "garbage");
  GitOutput output = run(GIT_RESIDENT, {"status", "-s"}, "repo");
  EXPECT_EQ(output.exit_code, 127);
  EXPECT_NE(output.err.find("git itself must be first on PATH"), std::string::npos) << output.err;
}

TEST_F(StatusCommandTest, NeverWritesTheIndex) {
  repo_.write("file", "1");
  repo_.git({"add", "file"});
  // Git would save the refreshed stat data of a file that was only touched.
  repo_.write("file", "1");
  std::string before = repo_.read(".git/index");
  run(GIT_RESIDENT, {"status"}, "repo");
  run(GIT_RESIDENT, {"status", "-s"}, "repo");
  environment_ = {"GIT_OPTIONAL_LOCKS=1"};
  run(GIT_RESIDENT, {"status", "-v"}, "repo");
  EXPECT_EQ(repo_.read(".git/index"), before);
}

}  // namespace
}  // namespace resident
