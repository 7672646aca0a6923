// Reads indexes written by git, and compares the entries with git's output.
#include "index/index.h"

#include <gtest/gtest.h>

#include <tuple>

#include "index/index_test_support.h"

namespace resident {
namespace {

using namespace testing;

class EveryVersion : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(EveryVersion, EqualsGit) {
  auto [version, format] = GetParam();
  RepoBuilder repo;
  repo.init({std::string("--object-format=") + format});
  Index::LoadOptions options{
      std::string(format) == "sha1" ? HashAlgorithm::kSha1 : HashAlgorithm::kSha256, true};
  repo.git({"config", "index.version", version});
  fill(repo);
  repo.git({"update-index", "--force-write-index", "--index-version", version});
  expect_equals_git(repo, options);
  repo.git({"commit", "-qm", "1"});
  repo.git({"update-index", "--assume-unchanged", "a.c"});
  repo.git({"update-index", "--skip-worktree", "b/x", "Makefile"});
  repo.write("b/later", "intent");
  repo.git({"add", "-N", "b/later"});
  repo.git({"update-index", "--index-version", version});
  expect_equals_git(repo, options);
  // Extended flags turn a version 2 index into version 3.
  auto index = load(repo, options);
  EXPECT_EQ(index->version(), version[0] == '4' ? 4u : 3u);
  EXPECT_EQ(index->checksum().algorithm(), options.algorithm);
  EXPECT_EQ(index->stat().kind, FileKind::kRegular);
  EXPECT_GT(index->mtime().seconds, 0);
}

INSTANTIATE_TEST_SUITE_P(Index, EveryVersion,
                         ::testing::Combine(::testing::Values("2", "3", "4"),
                                            ::testing::Values("sha1", "sha256")));

TEST(Index, MissingFileIsEmpty) {
  RepoBuilder repo;
  repo.init();
  auto index = load(repo);
  ASSERT_TRUE(index);
  EXPECT_EQ(index->entries().size(), 0u);
  EXPECT_EQ(index->directories().size(), 1u);
  EXPECT_EQ(index->stat().kind, FileKind::kUnknown);
  EXPECT_EQ(index->cache_tree(), nullptr);
  EXPECT_FALSE(index->find_path("a"));
  EXPECT_FALSE(index->find_directory("a"));
  expect_consistent(*index);
}

TEST(Index, OneBelowAFileIsGitsToRefuse) {
  RepoBuilder repo;
  repo.init();
  repo.write("file", "");
  const auto index = Index::load(repo.work() + "/file/index", {});
  ASSERT_FALSE(index.ok());
  EXPECT_EQ(index.error().code, ErrorCode::kUnsupported);
}

TEST(Index, IndexWithoutEntries) {
  RepoBuilder repo;
  repo.init();
  repo.git({"read-tree", "--empty"});
  expect_equals_git(repo);
}

TEST(Index, EveryKindOfEntry) {
  RepoBuilder repo;
  repo.init();
  std::string blob = repo.git_line({"hash-object", "-w", "--stdin"}, "x");
  repo.git({"update-index", "--add", "--index-info"},
           "100755 " + blob + "\trun\n120000 " + blob + "\tlink\n160000 " + blob +
               "\tsub/module\n100644 " + blob + "\tplain\n");
  expect_equals_git(repo);
}

TEST(Index, ConflictsAndFileDirectoryClash) {
  RepoBuilder repo;
  repo.init();
  std::string blob = repo.git_line({"hash-object", "-w", "--stdin"}, "x");
  std::string info;
  for (const char* entry : {"1\tboth", "2\tboth", "3\tboth", "2\tclash", "3\tclash/inner",
                            "1\tclash/gone", "0\tz", "3\tclash0"}) {
    info += "100644 " + blob + " " + entry + "\n";
  }
  repo.git({"update-index", "--index-info"}, info);
  expect_equals_git(repo);
  auto index = load(repo);
  ASSERT_TRUE(index->find_path("clash"));
  ASSERT_TRUE(index->find_directory("clash"));
  EXPECT_EQ(index->entries_of(*index->find_directory("clash")).size(), 2u);
  EXPECT_EQ(index->entries()[*index->find_path("both")].stage(), 1);
}

TEST(Index, NamesOfFourKilobytesAreKept) {
  RepoBuilder repo;
  repo.init();
  std::string blob = repo.git_line({"hash-object", "-w", "--stdin"}, "x");
  std::string info;
  for (size_t length : {4093, 4094, 4095}) {
    info += "100644 " + blob + "\tdir/" + std::string(length, 'n') + "\n";
    info += "100644 " + blob + "\t" + std::string(length, 'n') + "\n";
  }
  for (const char* version : {"2", "4"}) {
    repo.git({"config", "index.version", version});
    repo.git({"update-index", "--add", "--index-info"}, info);
    repo.git({"update-index", "--index-version", version});
    expect_equals_git(repo);
  }
  repo.git({"update-index", "--add", "--index-info"},
           "100644 " + blob + "\t" + std::string(4096, 'n') + "\n");
  auto index = Index::load(index_path(repo), sha1());
  ASSERT_FALSE(index.ok());
  EXPECT_EQ(index.error().code, ErrorCode::kUnsupported);
}

TEST(Index, OptionalExtensionsAreSkipped) {
  RepoBuilder repo;
  repo.init();
  repo.git({"config", "index.threads", "2"});
  repo.git({"config", "core.untrackedCache", "true"});
  fill(repo);
  repo.git({"commit", "-qm", "1"});
  repo.git({"status"});
  repo.git({"update-index", "--untracked-cache"});
  std::string bytes = testing::read_whole_file(index_path(repo));
  EXPECT_NE(bytes.find("UNTR"), std::string::npos);
  EXPECT_NE(bytes.find("EOIE"), std::string::npos);
  EXPECT_NE(bytes.find("TREE"), std::string::npos);
  expect_equals_git(repo);
}

// Enough entries for git's offset table. Its blocks restart the prefix compression.
TEST(Index, BlocksOfAnOffsetTable) {
  RepoBuilder repo;
  repo.init();
  std::string blob = repo.git_line({"hash-object", "-w", "--stdin"}, "x");
  std::string info;
  for (int i = 0; i < 25000; ++i) {
    info +=
        "100644 " + blob + "\tdir" + std::to_string(i % 40) + "/file" + std::to_string(i) + "\n";
  }
  repo.git({"config", "index.threads", "4"});
  repo.git({"config", "index.version", "4"});
  repo.git({"update-index", "--add", "--index-info"}, info);
  EXPECT_NE(testing::read_whole_file(index_path(repo)).find("IEOT"), std::string::npos);
  auto index = load(repo);
  ASSERT_TRUE(index);
  EXPECT_EQ(index->version(), 4u);
  EXPECT_EQ(told_by_us(*index), told_by_git(repo));
}

// Enough entries for a second thread. Files and subdirectories alternate in the directories.
TEST(Index, ManyEntriesEqualGits) {
  for (const char* version : {"2", "4"}) {
    RepoBuilder repo;
    repo.init();
    repo.git({"config", "index.version", version});
    const std::string blob = repo.git_line({"hash-object", "-w", "--stdin"}, "x");
    std::string info;
    for (int i = 0; i < 36000; ++i) {
      const std::string name = "d" + std::to_string(i % 40) + "/" + std::to_string(i % 1000);
      const char* below[] = {"", ".c", "/x", "/.hidden", "/deep/file", "-long-name-of-a-file"};
      const std::string path = name + "-" + std::to_string(i) + below[i % 6];
      if (i % 500 == 1) {
        for (const char* stage : {" 1\t", " 2\t", " 3\t"}) {
          info.append("100644 ").append(blob).append(stage).append(path).append("\n");
        }
      } else {
        info.append(i % 3 == 0 ? "100755 " : "100644 ").append(blob).append("\t");
        info.append(path).append("\n");
      }
    }
    repo.git({"update-index", "--add", "--index-info"}, info);
    auto index = load(repo);
    ASSERT_TRUE(index);
    EXPECT_EQ(index->version(), version[0] == '4' ? 4u : 2u);
    EXPECT_GT(index->entries().size(), 1u << 15);
    EXPECT_EQ(told_by_us(*index), told_by_git(repo));
    expect_consistent(*index);
  }
}

TEST(Index, ZeroChecksumIsAccepted) {
  RepoBuilder repo;
  repo.init();
  fill(repo);
  std::string bytes = testing::read_whole_file(index_path(repo));
  bytes.replace(bytes.size() - 20, 20, 20, '\0');
  auto index = decode_index(as_bytes(bytes), "index", sha1());
  ASSERT_TRUE(index.ok());
  EXPECT_TRUE((*index)->checksum().is_null());
  bytes.back() = 1;
  EXPECT_FALSE(decode_index(as_bytes(bytes), "index", sha1()).ok());
  EXPECT_TRUE(decode_index(as_bytes(bytes), "index", {HashAlgorithm::kSha1, false}).ok());
}

TEST(IndexCacheTree, MatchesDirectoriesAndGitsTrees) {
  RepoBuilder repo;
  repo.init();
  fill(repo);
  repo.git({"commit", "-qm", "1"});
  auto index = load(repo);
  const CacheTree* tree = index->cache_tree();
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->nodes().size(), index->directories().size());
  for (uint32_t d = 0; d < index->directories().size(); ++d) {
    uint32_t position = index->directories()[d].cache_tree;
    ASSERT_NE(position, CacheTree::kNoNode);
    const CacheTree::Node& node = tree->nodes()[position];
    EXPECT_EQ(node.directory, d);
    ASSERT_TRUE(node.valid());
    EXPECT_EQ(tree->id(node).hex(),
              repo.git_line({"rev-parse", "HEAD:" + index->directory_path(d)}));
  }
}

TEST(IndexCacheTree, ChangedDirectoriesAreInvalid) {
  RepoBuilder repo;
  repo.init();
  fill(repo);
  repo.git({"commit", "-qm", "1"});
  repo.write("b/deep/other", "changed");
  repo.git({"add", "b/deep/other"});
  auto index = load(repo);
  const CacheTree* tree = index->cache_tree();
  ASSERT_TRUE(tree);
  auto valid = [&](std::string_view path) {
    uint32_t position = index->directories()[*index->find_directory(path)].cache_tree;
    return position != CacheTree::kNoNode && tree->nodes()[position].valid();
  };
  EXPECT_FALSE(valid(""));
  EXPECT_FALSE(valid("b"));
  EXPECT_FALSE(valid("b/deep"));
  EXPECT_TRUE(valid("b/deep/er"));
  EXPECT_TRUE(valid("c"));
}

}  // namespace
}  // namespace resident
