#include "fs/disk_reads.h"

#include <gtest/gtest.h>

#include <random>

#include "fs/file_on_disk_test_support.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

TEST(DiskReads, WhatIsInMemoryIsNotCounted) {
  constexpr size_t kSize = size_t{4} << 20;
  // Random bytes, which no file system can compress.
  std::string content(kSize, 0);
  std::mt19937 random(1);
  for (char& byte : content) byte = static_cast<char>(random());
  const testing::FileOnDisk file("file", content);
  if (!file.forget()) GTEST_SKIP() << testing::kForgetsNothing;
  const uint64_t before = disk_reads();
  EXPECT_EQ(testing::read_whole_file(file.path()).size(), kSize);
  const uint64_t after = disk_reads();
  EXPECT_GE(after - before, kSize / 512);
  EXPECT_EQ(testing::read_whole_file(file.path()).size(), kSize);
  EXPECT_LT(disk_reads() - after, kSize / 512);
}

}  // namespace
}  // namespace resident
