#include "odb/object_numbers.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace resident {
namespace {

ObjectId id_of(std::mt19937& random, HashAlgorithm algorithm) {
  std::array<uint8_t, kMaxHashSize> bytes{};
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return ObjectId::from_bytes({bytes.data(), hash_size(algorithm)});
}

TEST(ObjectNumbers, NumbersAsAdded) {
  for (const HashAlgorithm algorithm : {HashAlgorithm::kSha1, HashAlgorithm::kSha256}) {
    std::mt19937 random(1);
    ObjectNumbers numbers;
    std::map<ObjectId, uint32_t> expected;
    for (uint32_t number = 0; number < 5000; ++number) {
      const ObjectId id = id_of(random, algorithm);
      const auto added = numbers.add(id);
      EXPECT_TRUE(added.is_new);
      EXPECT_EQ(added.number, number);
      expected.emplace(id, number);
    }
    for (const auto& [id, number] : expected) {
      EXPECT_EQ(numbers.id(number), id);
      const auto again = numbers.add(id);
      EXPECT_FALSE(again.is_new);
      EXPECT_EQ(again.number, number);
    }
  }
}

TEST(ObjectNumbers, IdsThatBeginAlikeAreTold) {
  ObjectNumbers numbers;
  std::array<uint8_t, kMaxHashSize> bytes{};
  for (int last = 0; last < 200; ++last) {
    bytes[19] = static_cast<uint8_t>(last);
    const auto added = numbers.add(ObjectId::from_bytes({bytes.data(), 20}));
    EXPECT_TRUE(added.is_new);
    EXPECT_EQ(added.number, static_cast<uint32_t>(last));
  }
  for (int last = 0; last < 200; ++last) {
    bytes[19] = static_cast<uint8_t>(last);
    const auto again = numbers.add(ObjectId::from_bytes({bytes.data(), 20}));
    EXPECT_FALSE(again.is_new);
    EXPECT_EQ(again.number, static_cast<uint32_t>(last));
  }
}

}  // namespace
}  // namespace resident
