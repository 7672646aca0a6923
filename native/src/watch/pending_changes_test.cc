#include "watch/pending_changes.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace resident {
namespace {

TEST(PendingChanges, FoldsDuplicatesAndKeepsThatANameArrived) {
  PendingChanges pending;
  EXPECT_TRUE(pending.empty());
  pending.mark(1, "a", {false});
  pending.mark(1, "a", {true});
  pending.mark(1, "a", {false});
  pending.mark(1, "", {false});
  pending.mark(2, "a", {false});
  EXPECT_FALSE(pending.empty());

  const Batch batch = pending.take();
  ASSERT_EQ(batch.directories().size(), 2u);
  EXPECT_EQ(batch.directories().at(1).names.size(), 2u);
  EXPECT_TRUE(batch.directories().at(1).names.at("a").arrived);
  EXPECT_FALSE(batch.directories().at(1).names.at("").arrived);
  EXPECT_FALSE(batch.directories().at(2).names.at("a").arrived);
  EXPECT_TRUE(batch.desynced().empty());
}

TEST(PendingChanges, IsEmptyOnceTaken) {
  PendingChanges pending;
  pending.mark(1, "a", {});
  EXPECT_FALSE(pending.take().empty());
  EXPECT_TRUE(pending.empty());
  EXPECT_TRUE(pending.take().empty());
}

TEST(PendingChanges, ADesyncKeepsItsFirstReasonAndDropsMarksUntilTaken) {
  PendingChanges pending;
  pending.mark(1, "a", {});
  pending.desync("overflow", PendingChanges::Lost::kEvents);
  pending.mark(1, "b", {});
  EXPECT_FALSE(pending.empty());
  EXPECT_FALSE(pending.take().watches_lost());

  pending.desync("overflow", PendingChanges::Lost::kEvents);
  pending.desync("unmount", PendingChanges::Lost::kWatches);
  pending.desync("overflow", PendingChanges::Lost::kEvents);

  const Batch batch = pending.take();
  EXPECT_EQ(batch.desynced(), "overflow");
  EXPECT_TRUE(batch.watches_lost());
  EXPECT_TRUE(batch.directories().empty());

  pending.mark(1, "c", {});
  EXPECT_EQ(pending.take().directories().at(1).names.count("c"), 1u);
}

TEST(PendingChanges, TellsWhenTheFirstOfABatchCame) {
  PendingChanges pending;
  const auto before = std::chrono::steady_clock::now();
  pending.mark(1, "a", {});
  const auto between = std::chrono::steady_clock::now();
  pending.mark(1, "b", {});
  const Batch batch = pending.take();
  EXPECT_GE(batch.since(), before);
  EXPECT_LE(batch.since(), between);
}

TEST(PendingChanges, LosesNothingWhenMarkedWhileTaken) {
  constexpr int kThreads = 3, kMarks = 2000;
  PendingChanges pending;
  std::vector<std::thread> markers;
  for (int t = 0; t < kThreads; ++t) {
    markers.emplace_back([&pending, t] {
      for (int i = 0; i < kMarks; ++i) pending.mark(t, std::to_string(i), {});
    });
  }
  size_t seen = 0;
  auto take = [&] {
    const Batch batch = pending.take();
    for (const auto& [id, marks] : batch.directories()) seen += marks.names.size();
  };
  while (seen < kThreads * kMarks / 2) take();
  for (std::thread& marker : markers) marker.join();
  take();
  EXPECT_EQ(seen, size_t{kThreads} * kMarks);
}

}  // namespace
}  // namespace resident
