#include "repository/repository_search.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "fs/linux/posix_file_system.h"
#include "testing/fake_file_system.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;

TEST(PathIsWithin, ComparesComponents) {
  EXPECT_TRUE(path_is_within("/a/b", "/a/b"));
  EXPECT_TRUE(path_is_within("/a/b/c", "/a/b"));
  EXPECT_FALSE(path_is_within("/a/bc", "/a/b"));
  EXPECT_FALSE(path_is_within("/a", "/a/b"));
  EXPECT_TRUE(path_is_within("/a", "/"));
}

TEST(FindRepositories, LooksAsDeepAsAsked) {
  RepoBuilder repo;
  repo.init({}, "one");
  repo.init({}, "one/inner");
  repo.init({}, "deep/er/two");
  repo.init({}, "node_modules/three");
  std::filesystem::create_directories(repo.path("empty/.git"));
  std::filesystem::create_directory_symlink(repo.path("one"), repo.path("link"));
  auto roots = [&](int depth) {
    return find_repositories(posix_file_system(), repo.root(), depth).roots;
  };
  using Roots = std::vector<std::string>;
  EXPECT_EQ(roots(0), Roots{});
  EXPECT_EQ(roots(1), Roots{repo.path("one")});
  EXPECT_EQ(roots(2), (Roots{repo.path("one"), repo.path("one/inner")}));
  EXPECT_EQ(roots(3), (Roots{repo.path("deep/er/two"), repo.path("one"), repo.path("one/inner")}));
  EXPECT_EQ(find_repositories(posix_file_system(), repo.path("one"), 0).roots,
            Roots{repo.path("one")});
}

TEST(FindRepositories, SaysWhatItCouldNotLookInto) {
  RepoBuilder repo;
  auto missing = find_repositories(posix_file_system(), repo.path("missing"), 1);
  ASSERT_EQ(missing.problems.size(), 1u);
  EXPECT_NE(missing.problems[0].message.find("missing"), std::string::npos);

  testing::FakeFileSystem fs;
  fs.write("/w/fine/.git/HEAD", "ref: refs/heads/main\n");
  fs.make_directory("/w/closed");
  fs.forbid("/w/closed");
  auto found = find_repositories(fs, "/w", 1);
  EXPECT_EQ(found.roots, std::vector<std::string>{"/w/fine"});
  ASSERT_EQ(found.problems.size(), 1u);
  EXPECT_EQ(found.problems[0].path, "/w/closed");
}

}  // namespace
}  // namespace resident
