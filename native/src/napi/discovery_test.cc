#include "napi/discovery.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "fs/linux/posix_file_system.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;

class DiscoveryTest : public testing::Test {
 protected:
  DiscoveryTest() {
    std::string pattern = (stdfs::temp_directory_path() / "rg-discovery-XXXXXX").string();
    root_ = stdfs::canonical(::mkdtemp(pattern.data()));
    ::setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    ::setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    // Nothing above the temporary directory counts.
    ::setenv("GIT_CEILING_DIRECTORIES", root_.parent_path().c_str(), 1);
  }
  ~DiscoveryTest() override { stdfs::remove_all(root_); }

  std::string init(const std::string& name) {
    const std::string path = (root_ / name).string();
    stdfs::create_directories(path);
    const std::string command = "git init -q '" + path + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
    return path;
  }

  Discovery discover_at(const std::string& name, int depth) {
    return discover_worktrees(posix_file_system(), (root_ / name).string(), depth);
  }

  stdfs::path root_;
};

TEST_F(DiscoveryTest, FindsTheWorktreeAroundAFolderAndAFile) {
  const std::string outer = init("outer");
  stdfs::create_directories(outer + "/a/b");
  std::ofstream(outer + "/a/file");
  EXPECT_EQ(discover_at("outer/a/b", 0).roots, std::vector<std::string>{outer});
  EXPECT_EQ(discover_at("outer/a/file", 0).roots, std::vector<std::string>{outer});
}

TEST_F(DiscoveryTest, FindsWorktreesBelow) {
  const std::string one = init("one");
  const std::string two = init("deep/two");
  EXPECT_EQ(discover_at("", 1).roots, std::vector<std::string>{one});
  EXPECT_EQ(discover_at("", 2).roots, (std::vector<std::string>{two, one}));
  EXPECT_TRUE(discover_at("", 0).roots.empty());
}

TEST_F(DiscoveryTest, ANestedWorktreeComesAfterTheOneAroundIt) {
  const std::string outer = init("outer");
  const std::string inner = init("outer/inner");
  EXPECT_EQ(discover_at("outer", 1).roots, (std::vector<std::string>{outer, inner}));
}

TEST_F(DiscoveryTest, ABareRepositoryIsNeitherRootNorProblem) {
  const std::string command = "git init -q --bare '" + (root_ / "bare").string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const Discovery found = discover_at("bare", 0);
  EXPECT_TRUE(found.roots.empty());
  EXPECT_TRUE(found.problems.empty());
}

TEST_F(DiscoveryTest, TellsWhatIsBrokenAndGoesOn) {
  const std::string good = init("good");
  const std::string broken = init("broken");
  std::ofstream(broken + "/.git/config") << "[core\n";
  const Discovery found = discover_at("", 1);
  EXPECT_EQ(found.roots, std::vector<std::string>{good});
  ASSERT_EQ(found.problems.size(), 1u);
  EXPECT_EQ(found.problems[0].path, broken);
  EXPECT_NE(found.problems[0].message.find("config"), std::string::npos)
      << found.problems[0].message;
}

TEST_F(DiscoveryTest, APathThatDoesNotExistIsAProblem) {
  const Discovery found = discover_at("nowhere", 3);
  EXPECT_TRUE(found.roots.empty());
  ASSERT_EQ(found.problems.size(), 1u);
  EXPECT_NE(found.problems[0].message.find("nowhere"), std::string::npos);
}

}  // namespace
}  // namespace resident
