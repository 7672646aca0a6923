#include "repository/nested_repository.h"

#include <gtest/gtest.h>

#include "testing/fake_file_system.h"

namespace resident {
namespace {

class NestedRepositoryTest : public ::testing::Test {
 protected:
  void make_git_directory(const std::string& path,
                          const std::string& head = "ref: refs/heads/main\n") {
    fs_.write(path + "/HEAD", head);
    fs_.make_directory(path + "/objects");
    fs_.make_directory(path + "/refs");
  }
  bool nested() { return is_nested_repository(fs_, "/w/n"); }

  testing::FakeFileSystem fs_;
};

TEST_F(NestedRepositoryTest, ADirectoryWithHeadObjectsAndRefs) {
  fs_.make_directory("/w/n");
  EXPECT_FALSE(nested());
  fs_.make_directory("/w/n/.git");
  EXPECT_FALSE(nested());
  make_git_directory("/w/n/.git");
  EXPECT_TRUE(nested());
  EXPECT_EQ(git_directory_of(fs_, "/w/n"), "/w/n/.git");
  for (const char* part : {"HEAD", "objects", "refs"}) {
    fs_.rename(std::string("/w/n/.git/") + part, "/away");
    EXPECT_FALSE(nested()) << "without " << part;
    fs_.rename("/away", std::string("/w/n/.git/") + part);
  }
  EXPECT_TRUE(nested());
}

TEST_F(NestedRepositoryTest, WhatHeadMaySay) {
  make_git_directory("/w/n/.git");
  const std::string id(40, 'a');
  for (const std::string& head :
       {id, id + "\n", std::string("ref: refs/x"), std::string("ref:refs/x"),
        std::string("ref: \t refs/x"), id + id.substr(0, 24) + "\n"}) {
    fs_.write("/w/n/.git/HEAD", head);
    EXPECT_TRUE(nested()) << head;
  }
  for (const std::string& head :
       {std::string(), std::string("ref: heads/x"), std::string("garbage"), id.substr(1),
        std::string(40, 'g'), std::string("ref: ")}) {
    fs_.write("/w/n/.git/HEAD", head);
    EXPECT_FALSE(nested()) << head;
  }
}

TEST_F(NestedRepositoryTest, HeadAsASymbolicLink) {
  make_git_directory("/w/n/.git");
  fs_.remove("/w/n/.git/HEAD");
  fs_.make_symlink("/w/n/.git/HEAD", "refs/heads/main");
  EXPECT_TRUE(nested());
  fs_.remove("/w/n/.git/HEAD");
  fs_.make_symlink("/w/n/.git/HEAD", "elsewhere");
  EXPECT_FALSE(nested());
}

TEST_F(NestedRepositoryTest, Gitfiles) {
  make_git_directory("/store/one");
  fs_.write("/w/n/.git", "gitdir: /store/one\n");
  EXPECT_TRUE(nested());
  EXPECT_EQ(git_directory_of(fs_, "/w/n"), "/store/one");
  fs_.write("/w/n/.git", "gitdir: ../../store/one\r\n");
  EXPECT_TRUE(nested());
  for (const char* content :
       {"", "gitdir:", "gitdir: ", "gitdir: \n", "gitdir:/store/one", "x", "gitdir: /nowhere"}) {
    fs_.write("/w/n/.git", content);
    EXPECT_FALSE(nested()) << content;
  }
  fs_.write("/w/n/.git", "gitdir: /store/one" + std::string(1 << 20, ' '));
  EXPECT_FALSE(nested()) << "no gitfile is that long";
}

TEST_F(NestedRepositoryTest, AGitfileThatCannotBeReadCounts) {
  fs_.write("/w/n/.git", "gitdir: /nowhere\n");
  fs_.forbid("/w/n/.git");
  EXPECT_TRUE(nested());
  EXPECT_EQ(git_directory_of(fs_, "/w/n"), "");
}

TEST_F(NestedRepositoryTest, ALinkedWorktreesGitDirectory) {
  make_git_directory("/store/main");
  fs_.write("/store/main/worktrees/n/HEAD", "ref: refs/heads/n\n");
  fs_.write("/store/main/worktrees/n/commondir", "../..\n");
  fs_.write("/w/n/.git", "gitdir: /store/main/worktrees/n\n");
  EXPECT_TRUE(nested());
  fs_.write("/store/main/worktrees/n/commondir", "/nowhere\n");
  EXPECT_FALSE(nested());
}

TEST_F(NestedRepositoryTest, ALinkToAGitDirectory) {
  make_git_directory("/store/one");
  fs_.make_symlink("/w/n/.git", "../../store/one");
  EXPECT_TRUE(nested());
  fs_.make_special("/w/m/.git");
  EXPECT_FALSE(is_nested_repository(fs_, "/w/m"));
}

}  // namespace
}  // namespace resident
