#include "cli/git_command_line.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <initializer_list>

namespace resident {
namespace {

bool keeps(std::initializer_list<std::string_view> words) {
  std::string line;
  for (const std::string_view word : words) line.append(word).push_back('\0');
  return keeps_modules(line);
}

TEST(GitCommandLine, ACommandThatOnlyLooksKeepsModules) {
  EXPECT_TRUE(keeps({"git", "status", "--porcelain"}));
  EXPECT_TRUE(keeps({"/usr/bin/git", "-C", "mv", "-c", "a.b=rm", "--no-pager", "diff"}));
  EXPECT_TRUE(keeps({"git", "--git-dir=.git", "--work-tree", "rm", "commit", "-a"}));
}

TEST(GitCommandLine, WhatMovesAndRemovesDoesNot) {
  EXPECT_FALSE(keeps({"git", "mv", "status", "b"}));
  EXPECT_FALSE(keeps({"git", "-C", "status", "rm", "status"}));
}

TEST(GitCommandLine, WhatIsNotKnownDoesNot) {
  EXPECT_FALSE(keeps({"git", "st"}));
  EXPECT_FALSE(keeps({"git", "--new-option", "status", "mv", "a", "b"}));
  EXPECT_FALSE(keeps({"sh", "-c", "git status"}));
  EXPECT_FALSE(keeps({"git-status"}));
  EXPECT_FALSE(keeps({"git"}));
  EXPECT_FALSE(keeps({"git", "-C"}));
  EXPECT_FALSE(keeps({}));
  EXPECT_FALSE(keeps_modules(std::string_view("git\0status", 10))) << "its end is not there";
}

TEST(GitCommandLine, IsThatOfAProcess) {
  EXPECT_NE(command_line_of(::getpid()).find("cli_test"), std::string::npos);
  EXPECT_EQ(command_line_of(-1), "");
}

}  // namespace
}  // namespace resident
