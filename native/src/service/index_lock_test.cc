#include "service/index_lock.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "fs/linux/posix_file_system.h"
#include "os/unique_fd.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using std::chrono::milliseconds;

class IndexLockTest : public ::testing::Test {
 protected:
  void make() { repo_.write("index.lock", ""); }
  void remove() { std::filesystem::remove(repo_.path("index.lock")); }
  bool held_after(milliseconds passed, bool active = true) {
    now_ += passed;
    activity_ += active ? 1 : 0;
    return lock_.is_held(activity_, now_);
  }

  testing::RepoBuilder repo_;
  IndexLock lock_{posix_file_system(), repo_.path("index")};
  IndexLock::Time now_{};
  uint64_t activity_ = 0;
};

TEST_F(IndexLockTest, HeldWhileItIsThere) {
  EXPECT_FALSE(held_after(milliseconds(0)));
  make();
  EXPECT_TRUE(held_after(milliseconds(0)));
  EXPECT_TRUE(held_after(milliseconds(900)));
  EXPECT_TRUE(held_after(milliseconds(900)));
  remove();
  EXPECT_FALSE(held_after(milliseconds(1)));
  make();
  EXPECT_TRUE(held_after(milliseconds(1)));
}

TEST_F(IndexLockTest, OneThatWasLeftBehindHoldsUpNothing) {
  make();
  EXPECT_TRUE(held_after(milliseconds(0)));
  EXPECT_TRUE(held_after(milliseconds(900), false));
  EXPECT_FALSE(held_after(milliseconds(200), false));
  EXPECT_FALSE(held_after(milliseconds(1))) << "for good";
  remove();
  EXPECT_FALSE(held_after(milliseconds(1)));
  make();
  EXPECT_TRUE(held_after(milliseconds(1))) << "another lock";
}

TEST_F(IndexLockTest, HeldAsLongAsItIsWritten) {
  make();
  {
    const UniqueFd git(::open(repo_.path("index.lock").c_str(), O_WRONLY | O_CLOEXEC));
    ASSERT_TRUE(git.valid());
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(held_after(milliseconds(5'000), false));
    EXPECT_TRUE(held_after(milliseconds(100), false));
  }
  // git can rename the lock to the index at any moment.
  EXPECT_TRUE(held_after(milliseconds(800), false));
  EXPECT_FALSE(held_after(milliseconds(300), false));
}

TEST_F(IndexLockTest, WhereEveryFileSeemsToBeWrittenNothingIsToldByThat) {
  make();
  repo_.write("index", "");
  const UniqueFd git(::open(repo_.path("index.lock").c_str(), O_WRONLY | O_CLOEXEC));
  const UniqueFd index(::open(repo_.path("index").c_str(), O_WRONLY | O_CLOEXEC));
  EXPECT_TRUE(held_after(milliseconds(0)));
  EXPECT_TRUE(held_after(milliseconds(900), false));
  EXPECT_FALSE(held_after(milliseconds(200), false));
}

TEST_F(IndexLockTest, NotByAGitThatNeverEnds) {
  make();
  const UniqueFd git(::open(repo_.path("index.lock").c_str(), O_WRONLY | O_CLOEXEC));
  for (int i = 0; i < 600; ++i) EXPECT_TRUE(held_after(milliseconds(1'000)));
  EXPECT_FALSE(held_after(milliseconds(2'000)));
}

TEST_F(IndexLockTest, NoLongerThanTheLongest) {
  make();
  for (int i = 0; i < 60; ++i) EXPECT_TRUE(held_after(milliseconds(500)));
  EXPECT_FALSE(held_after(milliseconds(600)));
}

}  // namespace
}  // namespace resident
