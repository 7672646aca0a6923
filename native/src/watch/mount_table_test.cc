#include "watch/mount_table.h"

#include <gtest/gtest.h>

namespace resident {
namespace {

TEST(MountTableTest, NothingIsMounted) {
  auto table = MountTable::open();
  ASSERT_TRUE(table.ok());
  // What others mounted meanwhile is told once.
  (void)table->changed();
  EXPECT_FALSE(table->changed());
}

}  // namespace
}  // namespace resident
