#include "napi/job_queue.h"

#include <gtest/gtest.h>

#include <vector>

namespace resident {
namespace {

TEST(JobQueue, RunsInOrderAndFinishesWhatWasPosted) {
  std::vector<int> seen;
  JobQueue queue;
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(queue.post([&seen, i] { seen.push_back(i); }));
  queue.finish();
  ASSERT_EQ(seen.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(seen[i], i);
}

TEST(JobQueue, RefusesAfterFinish) {
  JobQueue queue;
  queue.finish();
  EXPECT_FALSE(queue.post([] { FAIL(); }));
  queue.finish();
}

TEST(JobQueue, AJobMayPostAnother) {
  std::atomic<int> count = 0;
  JobQueue queue;
  queue.post([&] {
    ++count;
    EXPECT_TRUE(queue.post([&] { ++count; }));
  });
  while (count < 2) std::this_thread::yield();
}

}  // namespace
}  // namespace resident
