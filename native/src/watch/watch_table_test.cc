#include "watch/watch_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace resident {
namespace {

using Claims = std::map<uint32_t, uint32_t>;  // watcher -> mask

Claims claims(const WatchTable& table, WatchId watch) {
  Claims found;
  table.for_each(watch, [&](uint32_t watcher, uint32_t mask) {
    EXPECT_TRUE(found.emplace(watcher, mask).second) << "told twice";
  });
  return found;
}

TEST(WatchTable, EachWatcherHasItsMask) {
  WatchTable table;
  table.add(7, 1, 0b001);
  table.add(7, 2, 0b010);
  table.add(7, 1, 0b100);
  EXPECT_EQ(claims(table, 7), (Claims{{1, 0b101}, {2, 0b010}}));
  EXPECT_EQ(claims(table, 8), Claims{});
}

TEST(WatchTable, TheLastWatcherEndsTheWatch) {
  WatchTable table;
  table.add(7, 1, 1);
  table.add(7, 2, 2);
  table.add(7, 3, 4);
  EXPECT_FALSE(table.remove(7, 1));
  EXPECT_FALSE(table.remove(7, 1)) << "it has none any more";
  EXPECT_EQ(claims(table, 7), (Claims{{2, 2}, {3, 4}}));
  EXPECT_FALSE(table.remove(7, 3));
  EXPECT_TRUE(table.remove(7, 2));
  EXPECT_FALSE(table.remove(7, 2));
  EXPECT_TRUE(table.empty()) << "a page without watches is given back";
}

TEST(WatchTable, RandomClaimsAgainstAPlainMap) {
  WatchTable table;
  std::map<WatchId, Claims> expected;
  std::mt19937 random(1);
  for (int step = 0; step < 20'000; ++step) {
    const auto watch = static_cast<WatchId>(random() % 2000) - 1000;
    const uint32_t watcher = 1 + random() % 3;
    switch (random() % 8) {
      case 0: {
        const bool had = expected[watch].erase(watcher) > 0;
        ASSERT_EQ(table.remove(watch, watcher), had && expected[watch].empty());
        break;
      }
      case 1:
        table.remove_all(watch);
        expected.erase(watch);
        break;
      default: {
        const uint32_t mask = 1u << random() % 4;
        table.add(watch, watcher, mask);
        expected[watch][watcher] |= mask;
        break;
      }
    }
    ASSERT_EQ(claims(table, watch), expected[watch]) << step;
  }
  for (uint32_t watcher = 1; watcher <= 3; ++watcher) {
    std::set<WatchId> unwanted;
    for (auto& [watch, of_watch] : expected) {
      if (of_watch.erase(watcher) > 0 && of_watch.empty()) unwanted.insert(watch);
    }
    const std::vector<WatchId> told = table.remove_watcher(watcher);
    EXPECT_EQ(std::set<WatchId>(told.begin(), told.end()), unwanted);
    EXPECT_EQ(told.size(), unwanted.size());
    for (const auto& [watch, of_watch] : expected) ASSERT_EQ(claims(table, watch), of_watch);
  }
  EXPECT_TRUE(table.empty());
}

}  // namespace
}  // namespace resident
