// Tests in test/conformance/monitor check that git itself acts this way.
#include "model/git_names.h"

#include <gtest/gtest.h>

namespace resident {
namespace {

using Names = std::vector<std::string>;

TEST(GitNames, EachOnce) {
  GitNames names;
  names.add("b");
  names.add("a/b");
  names.add("b");
  EXPECT_EQ(names.take(), (Names{"a/b", "b"}));
  EXPECT_TRUE(names.are_enough());
}

TEST(GitNames, ADirectoryIsToldInThreeWays) {
  GitNames names;
  names.add_below("a/b/");
  EXPECT_EQ(names.take(), (Names{"a/b", "a/b/", "a/b/~resident~"}));
  names.add_in("");
  EXPECT_EQ(names.take(), Names{"~resident~"});
}

TEST(GitNames, AnotherNameForOneThatGitRefuses) {
  for (const char* name : {".git", ".GIT", "git~1", "GIT~1", ".git.", ".git ", ".git:x", "git~1 . ",
                           "a\\.git", "a\\git~1\\b", ".g\xe2\x80\x8cit", ".git\xe2\x80\x8c"}) {
    GitNames names;
    names.add(std::string("a/") + name);
    EXPECT_EQ(names.take(), Names{"a/~resident~"}) << name;
    EXPECT_TRUE(names.are_enough());
  }
  for (const char* name : {".gitignore", ".gitattributes", ".git-", "git~", "git~10", "git",
                           "a.git", "\xe2\x80\x8c", "...", "a\\b"}) {
    GitNames names;
    names.add(name);
    EXPECT_EQ(names.take(), Names{name});
  }
}

TEST(GitNames, NothingReachesADirectoryThatGitRefuses) {
  for (const char* path : {"git~1/a", "a/.GIT/b/c"}) {
    GitNames names;
    names.add(path);
    EXPECT_FALSE(names.are_enough()) << path;
  }
  GitNames in;
  in.add_in("a/git~1/");
  EXPECT_FALSE(in.are_enough());
  GitNames below;
  below.add_below("git~1/");
  EXPECT_FALSE(below.are_enough());
}

}  // namespace
}  // namespace resident
