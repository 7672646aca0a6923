#include "napi/job_thread.h"

#include <gtest/gtest.h>

#include <vector>

namespace resident {
namespace {

TEST(JobThread, RunsInOrderAndFinishesWhatWasPosted) {
  std::vector<int> seen;
  JobThread thread;
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(thread.post([&seen, i] { seen.push_back(i); }));
  thread.finish();
  ASSERT_EQ(seen.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(seen[i], i);
}

TEST(JobThread, RefusesAfterFinish) {
  JobThread thread;
  thread.finish();
  EXPECT_FALSE(thread.post([] { FAIL(); }));
  thread.finish();
}

TEST(JobThread, AJobMayPostAnother) {
  std::atomic<int> count = 0;
  JobThread thread;
  thread.post([&] {
    ++count;
    EXPECT_TRUE(thread.post([&] { ++count; }));
  });
  while (count < 2) std::this_thread::yield();
}

}  // namespace
}  // namespace resident
