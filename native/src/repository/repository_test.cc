#include "repository/repository.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "fs/linux/posix_file_system.h"
#include "testing/counting_file_system.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;

// Sets an environment variable during one test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { ::unsetenv(name_); }

 private:
  const char* name_;
};

class RepositoryTest : public ::testing::Test {
 protected:
  RepositoryTest() {
    ::setenv("HOME", repo_.root().c_str(), 1);
    ::setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    repo_.init();
  }

  // git's answer with absolute paths, to one question at a time.
  std::string asked(const RepoBuilder::Arguments& question) {
    RepoBuilder::Arguments arguments = {"rev-parse", "--path-format=absolute"};
    arguments.insert(arguments.end(), question.begin(), question.end());
    return repo_.git_line(arguments);
  }

  void expect_as_git(const std::string& directory) {
    auto found = discover(directory);
    ASSERT_TRUE(found.ok()) << found.error().message;
    repo_.enter(directory.substr(repo_.root().size() + 1));
    EXPECT_EQ(found->worktree, asked({"--show-toplevel"}));
    EXPECT_EQ(found->git_dir, asked({"--absolute-git-dir"}));
    EXPECT_EQ(found->common_dir, asked({"--git-common-dir"}));
    EXPECT_EQ(found->index_path, asked({"--git-path", "index"}));
    EXPECT_EQ(found->objects_dir, asked({"--git-path", "objects"}));
    EXPECT_EQ(found->prefix, asked({"--show-prefix"}));
  }

  RepoBuilder repo_;
};

TEST_F(RepositoryTest, FindsTheRootAndTheParts) {
  repo_.write("sub/dir/file", "x");
  expect_as_git(repo_.path("repo"));
  expect_as_git(repo_.path("repo/sub/dir"));
  auto found = discover(repo_.path("repo/sub/dir"));
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->worktree, repo_.path("repo"));
  EXPECT_EQ(found->prefix, "sub/dir/");
  EXPECT_EQ(found->algorithm, HashAlgorithm::kSha1);
  EXPECT_EQ(quick_worktree_root(posix_file_system(), repo_.path("repo/sub/dir")), found->worktree);
  testing::CountingFileSystem without_owners({.owners = false});
  EXPECT_EQ(quick_worktree_root(without_owners, repo_.path("repo/sub/dir")), std::nullopt)
      << "only git knows whether the user trusts the directory";
}

TEST_F(RepositoryTest, PathsMayHoldNewlines) {
  repo_.init({}, "new\nline");
  repo_.write("a\nb/c\n/file", "x");
  auto found = discover(repo_.path("new\nline/a\nb/c\n"));
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found->worktree, repo_.path("new\nline"));
  EXPECT_EQ(found->git_dir, repo_.path("new\nline/.git"));
  EXPECT_EQ(found->prefix, "a\nb/c\n/");
}

TEST_F(RepositoryTest, KnowsSha256) {
  repo_.init({"--object-format=sha256"}, "long");
  auto found = discover(repo_.path("long"));
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->algorithm, HashAlgorithm::kSha256);
}

TEST_F(RepositoryTest, FindsLinkedWorktrees) {
  repo_.git({"commit", "--allow-empty", "-m", "x"});
  repo_.git({"worktree", "add", "../linked"});
  expect_as_git(repo_.path("linked"));
  EXPECT_EQ(quick_worktree_root(posix_file_system(), repo_.path("linked")), repo_.path("linked"));
}

TEST_F(RepositoryTest, FindsSubmodules) {
  repo_.write("f", "x");
  repo_.git({"add", "f"});
  repo_.git({"commit", "-m", "x"});
  repo_.init({}, "outer");
  repo_.git({"-c", "protocol.file.allow=always", "submodule", "add", repo_.path("repo"), "inner"});
  expect_as_git(repo_.path("outer/inner"));
  const std::string inner = repo_.path("outer/inner");
  EXPECT_EQ(quick_worktree_root(posix_file_system(), inner), inner);

  // A core.worktree in another form, or with another directory, is left to git.
  const std::string config = repo_.path("outer/.git/modules/inner/config");
  const auto with = [&](const std::string& text) {
    std::ofstream(config) << text;
    return quick_worktree_root(posix_file_system(), inner);
  };
  const std::string value = "../../../inner";
  EXPECT_EQ(with("[core]\n\tworktree = " + value + "\n"), inner);
  EXPECT_EQ(with("[Core]\nbare = false\n WorkTree=" + value), inner);
  EXPECT_EQ(with("[core]\n\tworktree = " + inner + "\n"), inner);
  EXPECT_EQ(with("[core]\n"), inner);
  for (const std::string& text : std::initializer_list<std::string>{
           "[core]\n\tworktree = ../../../other\n",
           "[core]\n\tworktree = ../../..\n",
           "[core]\n\tworktree\n",
           "[core]\n\tworktree = \"" + value + "\"\n",
           "[core]\n\tworktree = " + value + " # here\n",
           "[core]\n\tworktree = " + value + "\\\n\n",
           "[core]\n\tx = \\\n\tworktree = " + value + "\n",
           "[core] worktree = " + value + "\n",
           "[core] bare = true\n\tworktree = " + value + "\n",
           "[core]\n\tworktree = " + value + "\n\tworktree = " + value + "\n",
           "[other]\n\tworktree = " + value + "\n",
           "x = [core]\n\tworktree = " + value + "\n",
       }) {
    EXPECT_EQ(with(text), std::nullopt) << text;
  }
}

TEST_F(RepositoryTest, FindsASeparateGitDirectory) {
  repo_.init({"--separate-git-dir", repo_.path("elsewhere")}, "apart");
  expect_as_git(repo_.path("apart"));
  EXPECT_EQ(quick_worktree_root(posix_file_system(), repo_.path("apart")), repo_.path("apart"));
}

TEST_F(RepositoryTest, SeesThroughSymbolicLinks) {
  repo_.write("sub/file", "x");
  std::filesystem::create_directory_symlink(repo_.path("repo/sub"), repo_.path("link"));
  auto found = discover(repo_.path("link"));
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->worktree, repo_.path("repo"));
  EXPECT_EQ(found->prefix, "sub/");
  EXPECT_EQ(found->index_path, repo_.path("repo/.git/index"));
  EXPECT_EQ(quick_worktree_root(posix_file_system(), repo_.path("link")), repo_.path("repo"));
}

TEST_F(RepositoryTest, HonoursTheEnvironment) {
  repo_.write("sub/file", "x");
  std::filesystem::create_directory(repo_.path("outside"));
  {
    Variable directory("GIT_DIR", repo_.path("repo/.git"));
    Variable worktree("GIT_WORK_TREE", repo_.path("repo/sub"));
    auto found = discover(repo_.path("outside"));
    ASSERT_TRUE(found.ok()) << found.error().message;
    EXPECT_EQ(found->worktree, repo_.path("repo/sub"));
    EXPECT_EQ(found->git_dir, repo_.path("repo/.git"));
    EXPECT_EQ(quick_worktree_root(posix_file_system(), repo_.path("repo")), std::nullopt);
  }
  Variable index("GIT_INDEX_FILE", "other-index");
  auto found = discover(repo_.path("repo/sub"));
  ASSERT_TRUE(found.ok());
  // Relative to the root, independent of git's working directory.
  EXPECT_EQ(found->index_path, repo_.path("repo/other-index"));
}

TEST_F(RepositoryTest, RefusesWithGitsWords) {
  // The results differ if the temporary directory is a separate file system.
  Variable across("GIT_DISCOVERY_ACROSS_FILESYSTEM", "1");
  GitRefusal refusal;
  auto found = discover(repo_.root(), &refusal);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(refusal.exit_code, 128);
  EXPECT_EQ(refusal.err, "fatal: not a git repository (or any of the parent directories): .git\n");
  EXPECT_EQ(found.error().message, repo_.root() +
                                       ": not a git repository (or any of the parent "
                                       "directories): .git");

  found = discover(repo_.path("repo/.git"));
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(quick_worktree_root(posix_file_system(), repo_.path("repo/.git")), std::nullopt);

  found = discover(repo_.path("nowhere"));
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, ErrorCode::kNotFound);

  repo_.write(".git/config", "[core\n");
  found = discover(repo_.path("repo"));
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, ErrorCode::kCorrupt);
  EXPECT_NE(found.error().message.find("bad config line 1"), std::string::npos);
}

TEST_F(RepositoryTest, AnotherOwnerIsUnsafe) {
  Variable pretend("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
  auto found = discover(repo_.path("repo"));
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, ErrorCode::kUnsafe);
  EXPECT_NE(found.error().message.find("dubious ownership"), std::string::npos);
}

TEST_F(RepositoryTest, ACorruptHeadIsNotFound) {
  std::filesystem::remove(repo_.path("repo/.git/HEAD"));
  auto found = discover(repo_.path("repo"));
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(quick_worktree_root(posix_file_system(), repo_.path("repo")), std::nullopt);
}

TEST_F(RepositoryTest, TheQuickRootLeavesMovedRootsToGit) {
  repo_.git({"config", "core.worktree", repo_.root()});
  EXPECT_EQ(quick_worktree_root(posix_file_system(), repo_.path("repo")), std::nullopt);
  repo_.git({"config", "--unset", "core.worktree"});
  EXPECT_EQ(quick_worktree_root(posix_file_system(), repo_.path("repo")), repo_.path("repo"));
  repo_.git({"config", "core.bare", "true"});
  EXPECT_EQ(quick_worktree_root(posix_file_system(), repo_.path("repo")), std::nullopt);
}

TEST_F(RepositoryTest, TheQuickRootOfALinkedWorktreeThatTheSharedConfigMoves) {
  repo_.git({"commit", "-q", "--allow-empty", "-m", "x"});
  repo_.git({"worktree", "add", "-q", "../linked"});
  repo_.git({"config", "core.worktree", repo_.work()});
  expect_as_git(repo_.path("linked"));
  EXPECT_EQ(quick_worktree_root(posix_file_system(), repo_.path("linked")), repo_.path("linked"));
  repo_.git({"config", "extensions.worktreeConfig", "true"});
  expect_as_git(repo_.path("linked"));
  EXPECT_EQ(quick_worktree_root(posix_file_system(), repo_.path("linked")), std::nullopt);
}

}  // namespace
}  // namespace resident
