#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

#include "os/threads.h"

namespace resident {
namespace {

cpu_set_t allowed_processors() {
  cpu_set_t allowed;
  EXPECT_EQ(::sched_getaffinity(0, sizeof allowed, &allowed), 0);
  return allowed;
}

TEST(LeaveProcessor, TheThreadGoesOnAtAnotherOneAndMayStillUseAll) {
  std::thread([] {
    const cpu_set_t before = allowed_processors();
    if (CPU_COUNT(&before) < 2) GTEST_SKIP() << "there is one processor";
    // The system may move the thread back at any time.
    bool has_left = false;
    for (int i = 0; i < 100 && !has_left; ++i) {
      const int here = ::sched_getcpu();
      leave_processor(here);
      has_left = ::sched_getcpu() != here;
    }
    EXPECT_TRUE(has_left);
    const cpu_set_t after = allowed_processors();
    EXPECT_TRUE(CPU_EQUAL(&before, &after));
  }).join();
}

TEST(LeaveProcessor, WhereThereIsNoOtherItStays) {
  std::thread([] {
    const int here = ::sched_getcpu();
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<size_t>(here), &one);
    ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
    leave_processor(here);
    EXPECT_EQ(::sched_getcpu(), here);
    const cpu_set_t after = allowed_processors();
    EXPECT_TRUE(CPU_EQUAL(&one, &after));
  }).join();
}

}  // namespace
}  // namespace resident
