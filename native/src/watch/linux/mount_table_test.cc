#include "watch/linux/mount_table.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace resident {
namespace {

TEST(MountTableTest, NothingIsMounted) {
  auto table = MountTable::open();
  ASSERT_TRUE(table.ok());
  // What others mounted meanwhile is told once.
  (void)table->changed();
  EXPECT_FALSE(table->changed());
}

// What a child in a mount namespace of its own sees: 0 where all is as it should be, 2 where it may
// not mount anything.
int mount_and_look() {
  if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return 2;
  auto table = MountTable::open();
  if (!table.ok() || table->changed()) return 1;
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return 2;
  (void)table->changed();
  if (::mount("none", "/tmp", "tmpfs", 0, nullptr) != 0) return 2;
  if (!table->changed() || table->changed()) return 1;
  if (::mkdir("/tmp/a b", 0700) != 0 || ::mkdir("/tmp/a b/c\\d", 0700) != 0) return 2;
  if (::mount("none", "/tmp/a b/c\\d", "tmpfs", 0, nullptr) != 0) return 2;
  if (mounted_below("/tmp/a b") != std::vector<std::string>{"c\\d"}) return 1;
  if (::umount("/tmp/a b/c\\d") != 0 || !mounted_below("/tmp/a b").empty()) return 1;
  if (!table->changed() || ::umount("/tmp") != 0) return 1;
  return table->changed() ? 0 : 1;
}

TEST(MountTableTest, MountingAndUnmounting) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(mount_and_look());
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 2) GTEST_SKIP() << "nothing may be mounted here";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace resident
