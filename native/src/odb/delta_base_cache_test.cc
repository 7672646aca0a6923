// Tests which objects the delta base cache keeps and which it removes.
#include "odb/delta_base_cache.h"

#include <gtest/gtest.h>

namespace resident {
namespace {

std::shared_ptr<const Object> object_of(size_t bytes) {
  return std::make_shared<const Object>(Object{ObjectType::kBlob, std::string(bytes, 'x')});
}

TEST(DeltaBaseCache, TheLeastRecentlyUsedGoFirst) {
  DeltaBaseCache cache(100);
  cache.insert({1, 0}, object_of(50));
  cache.insert({1, 1}, object_of(50));
  EXPECT_NE(cache.find({1, 0}), nullptr);
  cache.insert({1, 2}, object_of(40));
  EXPECT_EQ(cache.find({1, 1}), nullptr);
  EXPECT_NE(cache.find({1, 0}), nullptr);
  EXPECT_EQ(cache.bytes(), 90u);
  cache.insert({1, 3}, object_of(101));
  EXPECT_EQ(cache.find({1, 3}), nullptr);
}

TEST(DeltaBaseCache, NothingIsKeptOfPacksThatAreGone) {
  DeltaBaseCache cache(100);
  for (uint64_t pack = 1; pack <= 3; ++pack) cache.insert({pack, 7}, object_of(10 * pack));
  cache.keep_only({2, 4});
  EXPECT_EQ(cache.find({1, 7}), nullptr);
  EXPECT_NE(cache.find({2, 7}), nullptr);
  EXPECT_EQ(cache.find({3, 7}), nullptr);
  EXPECT_EQ(cache.bytes(), 20u);
  cache.insert({1, 7}, object_of(80));
  EXPECT_EQ(cache.bytes(), 100u);
}

}  // namespace
}  // namespace resident
