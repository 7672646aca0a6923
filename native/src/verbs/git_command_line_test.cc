#include "verbs/git_command_line.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace resident {
namespace {

using Words = std::initializer_list<std::string_view>;

std::string line_of(Words words) {
  std::string line;
  for (const std::string_view word : words) line.append(word).push_back('\0');
  return line;
}
bool keeps(Words words) {
  return keeps_modules(line_of(words));
}
bool diffs_tree(Words words) {
  return may_diff_tree(line_of(words));
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

TEST(GitCommandLine, ATreeIsComparedWhereOneIsNamed) {
  EXPECT_TRUE(diffs_tree({"git", "diff", "HEAD"}));
  EXPECT_TRUE(diffs_tree({"git", "-C", "a", "diff", "--stat", "HEAD", "--", "b"}));
  EXPECT_TRUE(diffs_tree({"git", "diff-index", "HEAD"}));
  EXPECT_TRUE(diffs_tree({"git", "alias"}));
  EXPECT_TRUE(diffs_tree({"git", "--new-option", "status"}));
  EXPECT_TRUE(diffs_tree({"/usr/lib/git-core/git-diff-index", "HEAD"}));
}

TEST(GitCommandLine, NoTreeIsComparedWithFilesWithoutOne) {
  EXPECT_FALSE(diffs_tree({"git", "diff"}));
  EXPECT_FALSE(diffs_tree({"git", "diff", "--stat", "--", "HEAD"}));
  EXPECT_FALSE(diffs_tree({"git", "diff", "--cached", "HEAD"}));
  EXPECT_FALSE(diffs_tree({"git", "diff-index", "--cached", "HEAD"}));
  EXPECT_FALSE(diffs_tree({"git", "--no-pager", "status"}));
  EXPECT_FALSE(diffs_tree({"git", "mv", "a", "b"}));
  EXPECT_FALSE(diffs_tree({"sh", "-c", "diff HEAD"}));
  EXPECT_FALSE(diffs_tree({}));
}

}  // namespace
}  // namespace resident
