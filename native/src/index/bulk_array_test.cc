#include "index/bulk_array.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace resident {
namespace {

constexpr size_t kLargeCount = BulkMemory::kLarge / sizeof(uint32_t);

std::vector<uint32_t> numbers(size_t count) {
  std::vector<uint32_t> values(count);
  std::iota(values.begin(), values.end(), 7u);
  return values;
}

std::vector<uint32_t> content(const BulkArray<uint32_t>& array) {
  return {array.begin(), array.end()};
}

TEST(BulkArray, IsEmptyAtFirst) {
  BulkArray<uint32_t> array;
  EXPECT_TRUE(array.empty());
  EXPECT_EQ(array.capacity(), 0u);
  array.trim();
  array.append({});
  EXPECT_EQ(content(array), numbers(0));
}

TEST(BulkArray, KeepsItsValuesWhileItGrowsFromSmallToLarge) {
  const auto values = numbers(3 * kLargeCount);
  BulkArray<uint32_t> array;
  for (uint32_t value : values) array.push_back(value);
  EXPECT_EQ(content(array), values);
  EXPECT_EQ(array.back(), values.back());
}

TEST(BulkArray, TrimsAcrossTheLargeSizeAndWithin) {
  for (size_t count : {size_t{0}, size_t{10}, kLargeCount - 1, kLargeCount, kLargeCount + 5000}) {
    const auto values = numbers(count);
    for (size_t reserved : {count, count + 1, 4 * kLargeCount}) {
      BulkArray<uint32_t> array;
      array.reserve(reserved);
      EXPECT_EQ(array.capacity(), reserved);
      array.append(values);
      array.trim();
      EXPECT_EQ(array.capacity(), count);
      EXPECT_EQ(content(array), values);
      array.push_back(1);
      EXPECT_EQ(array.size(), count + 1);
      EXPECT_EQ(array[0], count == 0 ? 1u : 7u);
    }
  }
}

TEST(BulkArray, CopiesAndMoves) {
  for (size_t count : {size_t{3}, kLargeCount}) {
    const auto values = numbers(count);
    BulkArray<uint32_t> array;
    array.append(values);
    BulkArray<uint32_t> copy = array;
    copy[0] = 0;
    EXPECT_EQ(content(array), values);
    const uint32_t* data = array.data();
    BulkArray<uint32_t> moved = std::move(array);
    EXPECT_EQ(moved.data(), data);
    copy = moved;
    EXPECT_EQ(content(copy), values);
  }
}

TEST(BulkArray, ExtendGivesRoomForWhatIsWritten) {
  BulkArray<uint32_t> array;
  array.push_back(7);
  uint32_t* more = array.extend(2);
  more[0] = 8;
  more[1] = 9;
  EXPECT_EQ(content(array), numbers(3));
}

}  // namespace
}  // namespace resident
