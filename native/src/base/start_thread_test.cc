#include "base/start_thread.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "base/beside.h"
#include "base/thread_limit_test_support.h"

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

TEST(Beside, IsAnotherThreads) {
  std::thread::id worker;
  Beside work([&] { worker = std::this_thread::get_id(); });
  work.join();
  EXPECT_NE(worker, std::this_thread::get_id());
}

TEST(Beside, WithoutAThreadItIsTheCallers) {
  RESIDENT_NEEDS_ROOT();
  in_child([] {
    allow_no_more_threads();
    std::thread::id worker;
    Beside work([&] { worker = std::this_thread::get_id(); });
    work.join();
    EXPECT_EQ(worker, std::this_thread::get_id());
    Beside throws([] { throw std::runtime_error("thrown"); });
    EXPECT_THROW(throws.join(), std::runtime_error);
  });
}

}  // namespace
}  // namespace resident
