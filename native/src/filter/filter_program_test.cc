#include "filter/filter_program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "filter/outside_programs.h"
#include "fs/linux/posix_file_system.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

class FilterProgramTest : public ::testing::Test {
 protected:
  FilterProgramTest() {
    program_ = repo_.path("bin/git-lfs");
    std::filesystem::create_directories(repo_.path("bin"));
    std::filesystem::copy_file("/usr/bin/tr", program_);
    let_pass();
    ::setenv("PATH", (repo_.path("bin") + ":" + path_before_).c_str(), 1);
  }
  ~FilterProgramTest() override { ::setenv("PATH", path_before_.c_str(), 1); }

  // Waits until the clock is past the stamps of the program. The kernel can stamp a file with a
  // time that its coarse clock reaches with the next tick.
  void let_pass() {
    const Timestamp changed = fs_.stat(program_).value().ctime;
    while (fs_.now() <= changed) {
    }
  }
  bool is_known(const std::string& command) {
    const FilterProgram program = FilterProgram::find(fs_, command);
    EXPECT_EQ(program.holds(fs_), program.is_known()) << command;
    return program.is_known();
  }

  testing::RepoBuilder repo_;
  FileSystem& fs_ = posix_file_system();
  const std::string path_before_ = std::getenv("PATH");
  std::string program_;
};

TEST_F(FilterProgramTest, WhatGitLfsInstallsIsKnown) {
  for (const char* command :
       {"git-lfs clean -- %f", "git-lfs filter-process", "git-lfs  clean %f", "git-lfs"}) {
    EXPECT_TRUE(is_known(command)) << command;
  }
  EXPECT_TRUE(is_known(program_ + " clean -- %f"));
}

TEST_F(FilterProgramTest, EverythingElseIsUnknown) {
  for (const char* command : {"",
                              " ",
                              "tr a-z A-Z",
                              "/bin/cat",
                              "python3 tools/clean.py",
                              "sh ./f.sh %f",
                              "git lfs clean",
                              "git-lfs clean -- %f | cat",
                              "git-lfs clean -- %f; cat",
                              "X=1 git-lfs clean -- %f",
                              "$HOME/git-lfs clean",
                              "git-lfs $(cat f)",
                              "git-lfs `cat f`",
                              "'git-lfs' clean",
                              "git-lfs clean -- '%f'",
                              "git-lfs clean -- %%",
                              "git-lfs clean <f",
                              "git-lfs clean &",
                              "git-lfs clean\n",
                              "git-lfs\tclean",
                              "./git-lfs clean",
                              "bin/git-lfs clean",
                              "/nowhere/git-lfs clean",
                              "exec git-lfs clean",
                              "env git-lfs clean",
                              "git-lfs *"}) {
    EXPECT_FALSE(is_known(command)) << command;
  }
}

TEST_F(FilterProgramTest, AScriptOrALinkToAnotherProgramIsUnknown) {
  std::filesystem::remove(program_);
  std::filesystem::create_symlink("/usr/bin/tr", program_);
  EXPECT_FALSE(is_known("git-lfs clean"));
  std::filesystem::remove(program_);
  testing::write_whole_file(program_, "#!/bin/sh\n");
  ASSERT_EQ(::chmod(program_.c_str(), 0755), 0);
  let_pass();
  EXPECT_FALSE(is_known("git-lfs clean"));
}

TEST_F(FilterProgramTest, AProgramThatWasJustWrittenIsUnknownAtFirst) {
  std::filesystem::remove(program_);
  std::filesystem::copy_file("/usr/bin/tr", program_);
  const timespec tomorrow{::time(nullptr) + 86'400, 0};
  const timespec times[2] = {tomorrow, tomorrow};
  ASSERT_EQ(::utimensat(AT_FDCWD, program_.c_str(), times, 0), 0);
  EXPECT_FALSE(is_known("git-lfs clean"));
}

TEST_F(FilterProgramTest, AnotherProgramEndsIt) {
  const FilterProgram program = FilterProgram::find(fs_, "git-lfs clean");
  ASSERT_TRUE(program.holds(fs_));
  std::filesystem::copy_file(program_, program_ + ".new");
  std::filesystem::rename(program_ + ".new", program_);
  EXPECT_FALSE(program.holds(fs_));
}

TEST_F(FilterProgramTest, AProgramThatComesFirstEndsIt) {
  std::filesystem::create_directories(repo_.path("first"));
  ::setenv("PATH", (repo_.path("first") + ":" + repo_.path("bin")).c_str(), 1);
  const FilterProgram program = FilterProgram::find(fs_, "git-lfs clean");
  ASSERT_TRUE(program.holds(fs_));
  std::filesystem::copy_file(program_, repo_.path("first/git-lfs"));
  EXPECT_FALSE(program.holds(fs_));
  std::filesystem::remove(repo_.path("first/git-lfs"));
  EXPECT_TRUE(program.holds(fs_));
  ::setenv("PATH", "/usr/bin:/bin", 1);
  EXPECT_FALSE(program.holds(fs_));
}

TEST_F(FilterProgramTest, ADirectoryOfPathThatDependsOnWhereGitRuns) {
  ::setenv("PATH", (":" + repo_.path("bin")).c_str(), 1);
  EXPECT_FALSE(is_known("git-lfs clean"));
  ::setenv("PATH", ("bin:" + repo_.path("bin")).c_str(), 1);
  EXPECT_FALSE(is_known("git-lfs clean"));
}

TEST_F(FilterProgramTest, ProgramsOfAConfig) {
  const auto are_known = [&](std::vector<ConfigEntry> entries) {
    return OutsidePrograms::of(fs_, Config::from_entries(std::move(entries))).are_known();
  };
  EXPECT_TRUE(are_known({}));
  EXPECT_TRUE(are_known({{"filter.lfs.process", "git-lfs filter-process"},
                         {"filter.lfs.clean", "cat"},
                         {"filter.lfs.smudge", "cat"}}));
  EXPECT_FALSE(are_known({{"filter.x.clean", "cat"}}));
  EXPECT_FALSE(
      are_known({{"filter.lfs.clean", "git-lfs clean -- %f"}, {"lfs.extension.x.clean", "cat"}}));
  for (const char* value : {"true", "false", "", "/usr/bin/git-resident"}) {
    EXPECT_TRUE(are_known({{"core.fsmonitor", value}})) << value;
  }
  EXPECT_FALSE(are_known({{"core.fsmonitor", ".git/hooks/query-watchman"}}));
}

}  // namespace
}  // namespace resident
