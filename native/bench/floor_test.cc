#include "bench/floor.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "bench/index_floor.h"
#include "bench/repository_maker.h"
#include "bench/worktree_edits.h"
#include "testing/repo_builder.h"

namespace resident::bench {
namespace {

namespace stdfs = std::filesystem;
using testing::RepoBuilder;

class FloorTest : public ::testing::Test {
 protected:
  FloorTest() {
    EXPECT_TRUE(make_repository(shape_, files_.path("repo"), 2).ok());
    files_.enter("repo");
  }

  std::string index_path() const { return files_.path("repo/.git/index"); }
  std::shared_ptr<const Index> index() {
    auto loaded = Index::load(index_path(), {});
    EXPECT_TRUE(loaded.ok());
    return std::move(loaded).value();
  }
  FloorResult walk(FloorWork work, unsigned threads) {
    const DirectoryPlan plan(*index());
    auto result = walk_floor(files_.work(), plan, work, threads);
    EXPECT_TRUE(result.ok());
    return result.ok() ? *result : FloorResult{};
  }

  const TreeShape shape_ = *TreeShape::named("3000");
  RepoBuilder files_;
};

TEST_F(FloorTest, ThePlanIsTheWorktree) {
  const DirectoryPlan plan(*index());
  std::set<std::string> planned;
  for (const DirectoryPlan::Directory& directory : plan.directories()) {
    const std::string path = plan.text(directory.path);
    EXPECT_EQ(stdfs::path(path).filename(), plan.text(directory.name));
    for (uint32_t i = 0; i < directory.file_count; ++i) {
      const std::string name = plan.text(plan.files()[directory.first_file + i]);
      planned.insert(path == "." ? name : path + "/" + name);
    }
  }
  std::set<std::string> there;
  for (uint32_t d = 0; d < shape_.directories().size(); ++d) {
    for (uint32_t file = 0; file < shape_.directories()[d].file_count; ++file) {
      there.insert(shape_.path(d) + shape_.file_name(d, file));
    }
  }
  EXPECT_EQ(planned, there);
  EXPECT_EQ(plan.directories().size(), shape_.directories().size());
}

TEST_F(FloorTest, RangesCoverEachDirectoryOnce) {
  const DirectoryPlan plan(*index());
  for (size_t count : {1u, 7u, 64u, 100'000u}) {
    uint32_t next = 0;
    for (const DirectoryPlan::Range& range : plan.split(count)) {
      EXPECT_EQ(range.begin, next);
      EXPECT_GT(range.end, range.begin);
      next = range.end;
    }
    EXPECT_EQ(next, plan.directories().size());
    EXPECT_LE(plan.split(count).size(), count);
  }
}

TEST_F(FloorTest, LooksAtEverythingWithAnyNumberOfThreads) {
  const size_t directories = shape_.directories().size();
  for (unsigned threads : {1u, 2u, 8u}) {
    const FloorResult hot = walk(FloorWork::kHot, threads);
    EXPECT_EQ(hot.directories, directories);
    EXPECT_EQ(hot.files, 3000u);
    EXPECT_EQ(hot.missing, 0u);
    EXPECT_EQ(hot.names, 0u);
    const FloorResult cold = walk(FloorWork::kCold, threads);
    EXPECT_EQ(cold.files, 3000u);
    // Files, directories below the root, ".git", and "." and ".." of each directory.
    EXPECT_EQ(cold.names, 3000 + (directories - 1) + 1 + 2 * directories);
    const FloorResult watched = walk(FloorWork::kWatch, threads);
    EXPECT_EQ(watched.directories, directories);
    EXPECT_EQ(watched.missing, 0u);
    EXPECT_GT(hot.time.count(), 0);
  }
}

TEST_F(FloorTest, CountsWhatIsNotThere) {
  const std::string directory = shape_.path(1);
  const std::string file = shape_.file_name(0, 0);
  stdfs::remove(files_.path("repo/" + file));
  EXPECT_EQ(walk(FloorWork::kHot, 2).missing, 1u);
  stdfs::remove_all(files_.path("repo/" + directory));
  EXPECT_GT(walk(FloorWork::kHot, 2).missing, 1u);
  EXPECT_GT(walk(FloorWork::kWatch, 1).missing, 0u);
}

TEST_F(FloorTest, WhatIsNotInTheWorktreeIsNotPlanned) {
  files_.git({"update-index", "--skip-worktree", shape_.file_name(0, 0)});
  EXPECT_EQ(DirectoryPlan(*index()).files().size(), 2999u);
}

// Number of entries of each directory, in the order of first mention in the index.
std::vector<uint32_t> expected_counts(const Index& index) {
  std::vector<uint32_t> counts;
  for (const IndexDirectory& directory : index.directories()) {
    counts.push_back(directory.entry_count);
  }
  return counts;
}

TEST_F(FloorTest, TheIndexFloorGroupsAsTheIndexDoes) {
  IndexFloor floor;
  for (const char* version : {"2", "4"}) {
    files_.git({"update-index", "--index-version", version, "--force-write-index"});
    const auto expected = index();
    ASSERT_EQ(std::to_string(expected->version()), version);
    // Twice, because it reuses its memory.
    for (int i = 0; i < 2; ++i) {
      ASSERT_TRUE(floor.load(index_path()).ok());
      ASSERT_EQ(floor.entries().size(), 3000u);
      ASSERT_EQ(floor.directory_count(), expected->directories().size());
      std::vector<uint32_t> counts;
      for (size_t d = 0; d < floor.directory_count(); ++d) counts.push_back(floor.entry_count(d));
      EXPECT_EQ(counts, expected_counts(*expected));
    }
    // An entry's id is at a fixed distance from its offset.
    const std::string bytes = testing::read_whole_file(index_path());
    for (uint32_t i = 0; i < floor.entries().size(); ++i) {
      const std::string_view id = std::string_view(bytes).substr(floor.entries()[i] + 40, 20);
      ASSERT_EQ(id, as_text(expected->id_bytes(i)));
    }
  }
}

TEST_F(FloorTest, TheIndexFloorHasNoneOfADamagedIndex) {
  const std::string bytes = testing::read_whole_file(index_path());
  IndexFloor floor;
  for (size_t length : {size_t{0}, size_t{11}, size_t{40}, bytes.size() / 2}) {
    testing::write_whole_file(index_path(), bytes.substr(0, length));
    EXPECT_FALSE(floor.load(index_path()).ok()) << length;
  }
  EXPECT_FALSE(floor.load(files_.path("nowhere")).ok());
}

TEST_F(FloorTest, EditsAreSeenAndTakenBack) {
  auto edits = WorktreeEdits::open(files_.work());
  ASSERT_TRUE(edits.ok());
  const auto of = index();
  for (size_t count : {1u, 100u, 2000u}) {
    const std::vector<std::string> paths = edits->choose(*of, count, count);
    ASSERT_EQ(std::set<std::string>(paths.begin(), paths.end()).size(), count);
    ASSERT_TRUE(edits->apply(paths).ok());
    const std::string status = files_.git({"status", "--porcelain"});
    EXPECT_EQ(std::count(status.begin(), status.end(), '\n'), static_cast<long>(count));
    ASSERT_TRUE(edits->undo().ok());
    EXPECT_EQ(files_.git({"status", "--porcelain"}), "");
  }
  EXPECT_NE(edits->choose(*of, 10, 1), edits->choose(*of, 10, 2));
  EXPECT_FALSE(edits->apply({"not/there"}).ok());
}

}  // namespace
}  // namespace resident::bench
