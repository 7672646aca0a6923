#include "hash/hasher.h"

#include <gtest/gtest.h>

namespace resident {
namespace {

// The expected ids are git's: `git hash-object -t blob` in a repository of either format.
TEST(Hasher, NamesTheEmptyBlob) {
  EXPECT_EQ(hash_object(HashAlgorithm::kSha1, "blob", {}).hex(),
            "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  EXPECT_EQ(hash_object(HashAlgorithm::kSha256, "blob", {}).hex(),
            "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813");
}

TEST(Hasher, DigestDoesNotDependOnChunking) {
  Hasher hasher(HashAlgorithm::kSha1);
  hasher.update("hel");
  hasher.update("lo");
  EXPECT_EQ(hasher.finish(), hash_bytes(HashAlgorithm::kSha1, as_bytes("hello")));
}

TEST(ObjectId, HexRoundTrip) {
  const std::string hex = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
  auto id = ObjectId::from_hex(hex);
  ASSERT_TRUE(id);
  EXPECT_EQ(id->hex(), hex);
  EXPECT_FALSE(id->is_null());
}

TEST(ObjectId, RejectsWhatIsNotHex) {
  EXPECT_FALSE(ObjectId::from_hex(""));
  EXPECT_FALSE(ObjectId::from_hex(std::string(39, 'a')));
  EXPECT_FALSE(ObjectId::from_hex(std::string(39, 'a') + "g"));
}

TEST(ObjectId, NullIdsOfTheTwoAlgorithmsDiffer) {
  EXPECT_TRUE(ObjectId::null(HashAlgorithm::kSha256).is_null());
  EXPECT_NE(ObjectId::null(HashAlgorithm::kSha1), ObjectId::null(HashAlgorithm::kSha256));
}

}  // namespace
}  // namespace resident
