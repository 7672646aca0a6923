#include "index/index_ahead.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "fs/file_on_disk_test_support.h"
#include "fs/linux/posix_file_system.h"
#include "index/index_test_support.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;

class IndexAheadTest : public ::testing::Test {
 protected:
  IndexAheadTest() {
    repo_.init();
    fill(kManyIndexEntries + 100);
  }
  std::string git_dir() const { return repo_.work() + "/.git"; }
  std::string path() const { return git_dir() + "/index"; }
  Index::LoadOptions options() const { return {.verify_checksum = false, .git_dir = git_dir()}; }

  // Fills the index with `count` entries without files on disk.
  void fill(size_t count) {
    const std::string blob = repo_.git_line({"hash-object", "-w", "/dev/null"});
    std::string lines;
    for (size_t i = 0; i < count; ++i) {
      lines += "100644 " + blob + "\t" + std::to_string(i % 100) + "/" + std::to_string(i) + "\n";
    }
    repo_.git({"update-index", "--index-info"}, lines);
  }

  testing::RepoBuilder repo_;
};

TEST_F(IndexAheadTest, GivesOnceWhatLoadGives) {
  IndexAhead ahead(posix_file_system(), git_dir());
  const std::shared_ptr<Index> index = ahead.take(path(), options());
  ASSERT_TRUE(index);
  const auto loaded = Index::load(path(), options());
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(index->stat(), (*loaded)->stat());
  EXPECT_EQ(index->checksum(), (*loaded)->checksum());
  EXPECT_EQ(index->entries().size(), kManyIndexEntries + 100);
  EXPECT_EQ(ahead.take(path(), options()), nullptr);
}

TEST_F(IndexAheadTest, AnotherIndexIsNotGiven) {
  EXPECT_EQ(IndexAhead(posix_file_system(), git_dir()).take(path() + "2", options()), nullptr);
  Index::LoadOptions other = options();
  other.algorithm = HashAlgorithm::kSha256;
  EXPECT_EQ(IndexAhead(posix_file_system(), git_dir()).take(path(), other), nullptr);
  other = options();
  other.git_dir += "/worktrees/w";
  EXPECT_EQ(IndexAhead(posix_file_system(), git_dir()).take(path(), other), nullptr);
}

size_t threads() {
  size_t count = 0;
  for ([[maybe_unused]] const auto& task : stdfs::directory_iterator("/proc/self/task")) ++count;
  return count;
}

TEST_F(IndexAheadTest, OneThatWasReplacedSinceIsNotGiven) {
  // A sanitizer starts its own thread together with the first one.
  std::thread([] {}).join();
  const size_t before = threads();
  IndexAhead ahead(posix_file_system(), git_dir());
  while (threads() > before) std::this_thread::yield();
  stdfs::copy_file(path(), path() + ".lock");
  stdfs::rename(path() + ".lock", path());
  EXPECT_EQ(ahead.take(path(), options()), nullptr);
}

TEST_F(IndexAheadTest, WhatIsSmallOrNotThereOrDamagedIsLeftToLoad) {
  stdfs::resize_file(path(), stdfs::file_size(path()) - 100);
  EXPECT_EQ(IndexAhead(posix_file_system(), git_dir()).take(path(), options()), nullptr);
  stdfs::remove(path());
  EXPECT_EQ(IndexAhead(posix_file_system(), git_dir()).take(path(), options()), nullptr);
  fill(10);
  EXPECT_EQ(IndexAhead(posix_file_system(), git_dir()).take(path(), options()), nullptr);
}

TEST_F(IndexAheadTest, TheWorktreeIsReadAheadWhereTheIndexComesFromTheDisk) {
  const testing::FileOnDisk file("index", testing::read_whole_file(path()));
  const Index::LoadOptions on_disk{.verify_checksum = false, .git_dir = file.directory()};
  EXPECT_FALSE(IndexAhead(posix_file_system(), file.directory(), repo_.work()).reads_worktree())
      << "it is in memory";
  if (!file.forget()) GTEST_SKIP() << testing::kForgetsNothing;
  {
    IndexAhead ahead(posix_file_system(), file.directory(), repo_.work());
    EXPECT_TRUE(ahead.reads_worktree());
    EXPECT_TRUE(ahead.take(file.path(), on_disk));
    EXPECT_FALSE(ahead.reads_worktree()) << "whoever has the index reads it now";
  }
  // The file is not mapped any more.
  ASSERT_TRUE(file.forget());
  IndexAhead other(posix_file_system(), file.directory(), repo_.work());
  EXPECT_FALSE(other.take(path(), options()));
  EXPECT_FALSE(other.reads_worktree());
}

TEST_F(IndexAheadTest, TheWorktreeIsNotReadAheadWhereNobodyLooksAtAllOfIt) {
  const testing::FileOnDisk file("index", testing::read_whole_file(path()));
  if (!file.forget()) GTEST_SKIP() << testing::kForgetsNothing;
  EXPECT_FALSE(IndexAhead(posix_file_system(), file.directory()).reads_worktree());
}

}  // namespace
}  // namespace resident
