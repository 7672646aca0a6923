#include "fs/linux/private_fd_table.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <thread>

#include "fs/linux/private_fd_table_test_support.h"
#include "os/thread_limit_test_support.h"
#include "os/unique_fd.h"

namespace resident {
namespace {

bool is_open(int descriptor) {
  return ::fcntl(descriptor, F_GETFD) >= 0;
}

int open_root() {
  return ::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

// Files of a thread with a private table do not affect other threads.
void expect_own_table() {
  const UniqueFd before(open_root());
  ASSERT_TRUE(before.valid());
  int theirs = -1;
  std::thread([&] {
    ASSERT_TRUE(use_private_fd_table());
    EXPECT_TRUE(is_open(STDERR_FILENO));
    EXPECT_FALSE(is_open(before.get()));
    while (theirs < before.get() + 1) theirs = open_root();
    EXPECT_TRUE(is_open(before.get()));
    ::close(before.get());
    EXPECT_FALSE(is_open(before.get()));
  }).join();
  EXPECT_TRUE(is_open(before.get()));
  EXPECT_FALSE(is_open(theirs));
}

// Runs in a child. ThreadSanitizer does not know the child's other threads.
TEST(OwnDescriptors, WhatAThreadOpensIsItsAlone) {
  if (!testing::can_unshare(CLONE_FILES)) GTEST_SKIP() << testing::kNoOwnTable;
  testing::in_child([] { expect_own_table(); });
}

TEST(OwnDescriptors, AnOlderSystemHasThemToo) {
  if (!testing::can_unshare(CLONE_FILES)) GTEST_SKIP() << testing::kNoOwnTable;
  testing::in_child([] {
    ASSERT_NO_FATAL_FAILURE(testing::forbid_call(testing::kCloseRangeCall, ENOSYS));
    expect_own_table();
  });
}

TEST(OwnDescriptors, WhereTheyAreForbiddenNothingIsChanged) {
  testing::in_child([] {
    ASSERT_NO_FATAL_FAILURE(testing::forbid_own_descriptors());
    const UniqueFd before(open_root());
    std::thread([&] {
      EXPECT_FALSE(use_private_fd_table());
      EXPECT_TRUE(is_open(before.get()));
    }).join();
  });
}

}  // namespace
}  // namespace resident
