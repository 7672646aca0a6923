#include "watch/batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "testing/allocations.h"

namespace resident {
namespace {

constexpr Batch::Time kNow{};

TEST(Batch, BeyondItsBoundADirectoryIsMarkedAsAWhole) {
  Batch batch(Batch::Limits{3, 1 << 20});
  for (const char* name : {"a", "b", "c", "a"}) batch.mark(1, name, {}, kNow);
  batch.mark(2, "a", {}, kNow);
  const size_t bytes = batch.bytes();
  EXPECT_EQ(batch.directories().at(1).names.size(), 3u);
  batch.mark(1, "d", {}, kNow);
  EXPECT_TRUE(batch.directories().at(1).whole);
  EXPECT_FALSE(batch.directories().at(1).arrived);
  EXPECT_TRUE(batch.directories().at(1).names.empty());
  EXPECT_FALSE(batch.directories().at(2).whole);
  EXPECT_LT(batch.bytes(), bytes);
  batch.mark(1, "e", {true}, kNow);
  EXPECT_TRUE(batch.directories().at(1).arrived);
}

TEST(Batch, AWholeDirectoryRemembersThatANameArrived) {
  Batch batch(Batch::Limits{2, 1 << 20});
  batch.mark(1, "a", {true}, kNow);
  batch.mark(1, "b", {}, kNow);
  batch.mark(1, "c", {}, kNow);
  EXPECT_TRUE(batch.directories().at(1).whole);
  EXPECT_TRUE(batch.directories().at(1).arrived);
}

TEST(Batch, BeyondTheBoundOfAllEverythingIsToBeLookedAt) {
  Batch batch(Batch::Limits{1000, 100'000});
  size_t most = 0;
  for (int i = 0; batch.desynced().empty(); ++i) {
    batch.mark(i, "name", {}, kNow);
    most = std::max(most, batch.bytes());
    ASSERT_LT(i, 1000);
  }
  EXPECT_LE(most, 100'000u);
  EXPECT_EQ(batch.bytes(), 0u);
  EXPECT_FALSE(batch.watches_lost());
  batch.mark(1, "more", {}, kNow);
  EXPECT_TRUE(batch.directories().empty());
  EXPECT_FALSE(batch.take().desynced().empty());
  EXPECT_TRUE(batch.empty());
}

// Merged parts must equal the sum of all marks, for any split.
TEST(Batch, MergingIsMarking) {
  std::mt19937 random(1);
  int compared = 0;
  for (int round = 0; round < 300; ++round) {
    const Batch::Limits limits{2 + random() % 6, 2000 + random() % 4000};
    Batch all(limits), merged(limits), part(random() % 2 ? limits : Batch::Limits{});
    for (int i = 0; i < 60; ++i) {
      const auto directory = static_cast<WatchId>(random() % 6);
      const std::string name(random() % 4 ? 1 : 40, static_cast<char>('a' + random() % 10));
      const NameMark mark{random() % 8 == 0};
      all.mark(directory, name, mark, kNow);
      part.mark(directory, name, mark, kNow);
      if (random() % 5 == 0) merged.merge(part.take());
    }
    merged.merge(part.take());
    EXPECT_LE(merged.bytes(), limits.bytes);
    // The limit can be exceeded on the way in only one of them.
    if (!merged.desynced().empty() || !all.desynced().empty()) continue;
    ++compared;
    ASSERT_EQ(merged.directories().size(), all.directories().size());
    for (const auto& [directory, marks] : all.directories()) {
      const DirectoryMarks& other = merged.directories().at(directory);
      ASSERT_EQ(other.whole, marks.whole);
      ASSERT_EQ(other.arrived, marks.arrived);
      ASSERT_EQ(other.names.size(), marks.names.size());
      for (const auto& [name, mark] : marks.names) {
        ASSERT_EQ(other.names.at(name).arrived, mark.arrived);
      }
    }
    ASSERT_EQ(merged.bytes(), all.bytes());
  }
  EXPECT_GT(compared, 50);
}

TEST(Batch, PathsAreBoundAndMergedLikeNames) {
  Batch batch(Batch::Limits{1, 10'000}), later(batch);
  batch.mark_path("a/b", {}, kNow);
  batch.mark_path("a/c", {}, kNow);
  later.mark_path("a/b", {true}, kNow);
  later.mark_path("a", {}, kNow);
  EXPECT_FALSE(later.empty());
  batch.merge(later.take());
  EXPECT_TRUE(later.empty());
  std::vector<std::string> paths;
  for (const auto& [path, mark] : batch.paths()) paths.push_back(path + (mark.below ? "/" : ""));
  EXPECT_EQ(paths, (std::vector<std::string>{"a", "a/b/", "a/c"}));
  for (int i = 0; batch.desynced().empty(); ++i) {
    ASSERT_LT(i, 1000);
    batch.mark_path(std::to_string(i), {}, kNow);
  }
  EXPECT_TRUE(batch.paths().empty());
  EXPECT_EQ(batch.bytes(), 0u);
}

// Measured by malloc's bytes in use.
TEST(Batch, AMillionNamesCostNoMoreThanTheBound) {
  for (const int directories : {1, 100, 1'000'000}) {
    const size_t before = testing::bytes_in_use.load();
    Batch batch;
    size_t most = 0, counted = 0;
    for (int i = 0; i < 1'000'000; ++i) {
      batch.mark(i % directories, "a-temporary-file-" + std::to_string(i), {true}, kNow);
      if (i % 1000 != 0) continue;
      most = std::max(most, testing::bytes_in_use.load() - before);
      counted = std::max(counted, batch.bytes());
    }
    EXPECT_LE(counted, Batch::Limits{}.bytes);
    EXPECT_LE(most, counted * 11 / 10 + 4096) << directories;
  }
}

TEST(Batch, ADesyncIsTakenOverWithWhatItLost) {
  Batch batch, later;
  batch.mark(1, "a", {}, kNow);
  later.desync("unmounted", Batch::Lost::kWatches, kNow);
  batch.merge(later.take());
  EXPECT_EQ(batch.desynced(), "unmounted");
  EXPECT_TRUE(batch.watches_lost());
  later.mark(1, "b", {}, kNow);
  batch.merge(later.take());
  EXPECT_TRUE(batch.directories().empty());
}

}  // namespace
}  // namespace resident
