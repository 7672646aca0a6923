#include "os/threads.h"

#include <gtest/gtest.h>

#include "os/thread_limit_test_support.h"

namespace resident {
namespace {

using testing::allow_no_more_threads;
using testing::in_child;

TEST(StartThread, RunsWithItsArguments) {
  int sum = 0;
  auto thread = start_thread([&sum](int a, int b) { sum = a + b; }, 1, 2);
  ASSERT_TRUE(thread.ok());
  thread->join();
  EXPECT_EQ(sum, 3);
}

TEST(StartThread, SaysWhyThereIsNone) {
  RESIDENT_NEEDS_ROOT();
  in_child([] {
    allow_no_more_threads();
    const auto thread = start_thread([] { ADD_FAILURE() << "a thread was started"; });
    ASSERT_FALSE(thread.ok());
    EXPECT_EQ(thread.error().message, "cannot start a thread: Resource temporarily unavailable");
  });
}

}  // namespace
}  // namespace resident
