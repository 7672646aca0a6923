#include "fs/in_memory.h"

#include <gtest/gtest.h>

#include "fs/file_on_disk_test_support.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

TEST(InMemory, WhatWasWrittenOrReadIsAndWhatIsForgottenIsNot) {
  const testing::FileOnDisk file("file", std::string(100'000, 'x'));
  EXPECT_TRUE(is_in_memory(file.path()));
  if (!file.forget()) GTEST_SKIP() << testing::kForgetsNothing;
  EXPECT_FALSE(is_in_memory(file.path())) << "asking does not read";
  EXPECT_EQ(testing::read_whole_file(file.path()).size(), 100'000u);
  EXPECT_TRUE(is_in_memory(file.path()));
}

TEST(InMemory, OfWhatCannotBeReadNobodyTells) {
  testing::RepoBuilder files;
  EXPECT_TRUE(is_in_memory(files.work() + "/none"));
  EXPECT_TRUE(is_in_memory(files.work()));
  files.write("empty", "");
  EXPECT_TRUE(is_in_memory(files.work() + "/empty"));
}

}  // namespace
}  // namespace resident
