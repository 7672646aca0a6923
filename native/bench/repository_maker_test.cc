#include "bench/repository_maker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "index/index.h"
#include "testing/repo_builder.h"

namespace resident::bench {
namespace {

using testing::RepoBuilder;

class RepositoryMakerTest : public ::testing::Test {
 protected:
  void make(const TreeShape& shape, const std::string& name) {
    const Result<void> made = make_repository(shape, files_.path(name), 2);
    ASSERT_TRUE(made.ok()) << made.error().message;
    files_.enter(name);
  }

  RepoBuilder files_;
};

TEST_F(RepositoryMakerTest, GitFindsNothingToSay) {
  const TreeShape shape = *TreeShape::named("600");
  make(shape, "repo");
  EXPECT_EQ(files_.git({"status", "--porcelain", "--ignored"}), "");
  EXPECT_EQ(files_.git({"symbolic-ref", "HEAD"}), "refs/heads/main\n");
  EXPECT_EQ(files_.git({"fsck", "--full", "--strict", "--no-dangling"}), "");
  for (uint32_t d = 0; d < shape.directories().size(); ++d) {
    for (uint32_t file = 0; file < shape.directories()[d].file_count; ++file) {
      const std::string path = shape.path(d) + shape.file_name(d, file);
      ASSERT_EQ(files_.read(path), TreeShape::contents()[shape.content_of(d, file)]);
    }
  }
  const std::string listed = files_.git({"ls-files"});
  EXPECT_EQ(std::count(listed.begin(), listed.end(), '\n'), 600);
}

TEST_F(RepositoryMakerTest, TheIndexHasStatDataAndACacheTree) {
  make(*TreeShape::named("600"), "repo");
  const auto index = Index::load(files_.path("repo/.git/index"), {});
  ASSERT_TRUE(index.ok());
  ASSERT_EQ((*index)->entries().size(), 600u);
  for (const IndexEntry& entry : (*index)->entries()) {
    EXPECT_NE(entry.stat.inode, 0u);
    EXPECT_LT(entry.stat.mtime_seconds, (*index)->mtime().seconds) << "racily clean";
  }
  for (const IndexDirectory& directory : (*index)->directories()) {
    ASSERT_NE(directory.cache_tree, CacheTree::kNoNode);
    EXPECT_TRUE((*index)->cache_tree()->nodes()[directory.cache_tree].valid());
  }
}

TEST_F(RepositoryMakerTest, TheOtherBranchDiffersInAnEighth) {
  const TreeShape shape = *TreeShape::named("600");
  make(shape, "repo");
  EXPECT_EQ(other_file_count(shape), 75u);
  const std::string differing = files_.git({"diff", "--name-only", "main", "other"});
  EXPECT_EQ(std::count(differing.begin(), differing.end(), '\n'), 75);
  EXPECT_EQ(other_file_count(*TreeShape::named("400k")), 50'000u);
}

TEST_F(RepositoryMakerTest, TwiceMadeItIsTheSame) {
  const TreeShape shape = *TreeShape::named("tiny");
  make(shape, "one");
  const std::string first = files_.git({"rev-parse", "main", "other"});
  make(shape, "two");
  EXPECT_EQ(files_.git({"rev-parse", "main", "other"}), first);
}

TEST_F(RepositoryMakerTest, WhatIsThereIsLeftAlone) {
  std::filesystem::create_directory(files_.path("repo"));
  EXPECT_FALSE(make_repository(*TreeShape::named("10"), files_.path("repo"), 1).ok());
}

}  // namespace
}  // namespace resident::bench
