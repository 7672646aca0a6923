#include "status/disk_reserves.h"

#include <gtest/gtest.h>

namespace resident {
namespace {

uint64_t g_reads = 0;

uint64_t reads() {
  return g_reads;
}

constexpr uint64_t kMib = 2048;

TEST(DiskReserves, ComeAfterAMebibyteFromTheDisk) {
  for (const bool alone : {false, true}) {
    g_reads = 7 * kMib;
    const Reserves reserves = disk_reserves(2, alone, reads);
    EXPECT_EQ(reserves.threads, alone ? 16u : 8u);
    EXPECT_FALSE(reserves.needed());
    g_reads += kMib;
    EXPECT_FALSE(reserves.needed());
    ++g_reads;
    EXPECT_TRUE(reserves.needed());
  }
}

TEST(DiskReserves, ComeAtOnceWhereTheIndexCameFromTheDisk) {
  g_reads = 30 * kMib;
  EXPECT_TRUE(disk_reserves(2, true, reads).needed());
  EXPECT_FALSE(disk_reserves(2, false, reads).needed()) << "by who reads other worktrees, too";
}

TEST(DiskReserves, AreNoneForWhoWantsOneThread) {
  EXPECT_EQ(disk_reserves(1, true, reads).threads, 0u);
}

}  // namespace
}  // namespace resident
