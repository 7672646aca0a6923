// Whether a path is in the cone, compared with the files that git keeps in the worktree.
#include "status/sparse_cone.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;

constexpr const char* kPaths[] = {
    "root", "a/1", "a/b/2", "a/b/c/3", "a/b/c/d/4", "a/bb/5", "ab/6", "x y/7", "s*r/8", "b\\k/9",
};

class SparseConeOfGit : public ::testing::TestWithParam<std::vector<const char*>> {};

TEST_P(SparseConeOfGit, HasWhatGitChecksOut) {
  RepoBuilder repo;
  repo.init();
  for (const char* path : kPaths) repo.write(path, path);
  repo.git({"add", "-A"});
  repo.git({"commit", "-qm", "1"});
  RepoBuilder::Arguments arguments = {"sparse-checkout", "set", "--cone", "--skip-checks"};
  arguments.insert(arguments.end(), GetParam().begin(), GetParam().end());
  repo.git(arguments);
  auto cone = SparseCone::parse(repo.read(".git/info/sparse-checkout"), false);
  ASSERT_TRUE(cone);
  for (const char* path : kPaths) {
    EXPECT_EQ(cone->contains(path), std::filesystem::exists(repo.work() + "/" + path)) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(Worktree, SparseConeOfGit,
                         ::testing::Values(std::vector<const char*>{},
                                           std::vector<const char*>{"a"},
                                           std::vector<const char*>{"a/b"},
                                           std::vector<const char*>{"a/b/c", "x y"},
                                           std::vector<const char*>{"s*r", "b\\k"},
                                           std::vector<const char*>{"a/b", "a/b/c/d", "ab"}));

TEST(SparseCone, Everything) {
  auto cone = SparseCone::parse("/*\n", false);
  ASSERT_TRUE(cone);
  EXPECT_TRUE(cone->contains("a/b/c"));
  EXPECT_FALSE(SparseCone::parse("/*\n!/*/\n", false)->contains("a/b"));
  EXPECT_FALSE(SparseCone::parse("", false)->contains("a/b"));
}

TEST(SparseCone, PatternsThatAreNoCone) {
  for (const char* patterns : {"a\n", "/a\n", "*.c\n", "/a*/\n", "/a/**/\n", "!/a/\n", "/a/*\n",
                               "!/a/*/\n", "/[a]/\n", "/a/\n!/a/*/\n/a/\n", "/\n"}) {
    EXPECT_FALSE(SparseCone::parse(patterns, false)) << patterns;
  }
}

TEST(SparseCone, LinesAndCase) {
  auto cone = SparseCone::parse("\xef\xbb\xbf# comment\r\n\n/A/\r\n/b/   \n/c/", true);
  ASSERT_TRUE(cone);
  for (const char* path : {"a/1", "A/x/y", "b/1", "c/d"}) EXPECT_TRUE(cone->contains(path)) << path;
  EXPECT_FALSE(cone->contains("d/1"));
  EXPECT_FALSE(SparseCone::parse("/A/\n", false)->contains("a/1"));
}

}  // namespace
}  // namespace resident
