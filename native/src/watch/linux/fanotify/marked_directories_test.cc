#include "watch/linux/fanotify/marked_directories.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "testing/allocations.h"

namespace resident {
namespace {

TEST(MarkedDirectories, ADirectoryKeepsItsNumberAndTakesItsNewPath) {
  MarkedDirectories marked;
  const std::string key("k\0y", 3);
  const WatchId id = marked.enter(key, "/old");
  EXPECT_LT(id, kNoWatch);
  EXPECT_EQ(marked.find(key), id);
  marked.leave(id);
  EXPECT_EQ(marked.left(), 1u);
  EXPECT_EQ(marked.enter(key, "/a/new/one"), id);
  EXPECT_EQ(marked.left(), 0u);
  EXPECT_STREQ(marked.find(id)->path(), "/a/new/one");
  EXPECT_EQ(marked.find(id)->key(), key);
  marked.erase(id);
  EXPECT_EQ(marked.find(key), kNoWatch);
  EXPECT_EQ(marked.find(id), nullptr);
  EXPECT_NE(marked.enter(key, "/old"), id) << "never given twice";
}

TEST(MarkedDirectories, RandomOnesAgainstAPlainMap) {
  MarkedDirectories marked;
  std::map<std::string, WatchId> expected;
  std::set<WatchId> given, left;
  std::mt19937 random(1);
  for (int step = 0; step < 20'000; ++step) {
    const std::string key = std::to_string(random() % 500);
    const auto known = expected.find(key);
    const WatchId id = known == expected.end() ? kNoWatch : known->second;
    ASSERT_EQ(marked.find(key), id);
    switch (random() % 4) {
      case 0:
        marked.erase(id);
        if (id != kNoWatch) expected.erase(known);
        left.erase(id);
        break;
      case 1:
        marked.leave(id);
        if (id != kNoWatch) left.insert(id);
        break;
      default: {
        const WatchId now = marked.enter(key, "/path/" + key);
        ASSERT_TRUE(id == kNoWatch ? given.insert(now).second : now == id);
        expected[key] = now;
        left.erase(now);
        break;
      }
    }
    ASSERT_EQ(marked.size(), expected.size());
    ASSERT_EQ(marked.left(), left.size());
  }
  marked.clear();
  EXPECT_EQ(marked.size(), 0u);
  EXPECT_EQ(marked.left(), 0u);
}

// By what malloc has given out.
TEST(MarkedDirectories, OneCostsAFewHundredBytes) {
  constexpr size_t kCount = 100'000;
  const std::string path = "/home/someone/projects/worktree/packages/one/src/components/";
  const size_t before = testing::bytes_in_use.load();
  MarkedDirectories marked;
  for (size_t i = 0; i < kCount; ++i) {
    const std::string number = std::to_string(100'000 + i);
    marked.enter("filesyst" + std::string(8, 'h') + "id" + number, path + number);
  }
  EXPECT_LE((testing::bytes_in_use.load() - before) / kCount, 300u);
  marked.clear();
  EXPECT_LE(testing::bytes_in_use.load() - before, 4096u);
}

}  // namespace
}  // namespace resident
