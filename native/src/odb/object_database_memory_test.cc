// Tests that reads allocate as much memory in a large pack as in a small one.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fs/linux/posix_file_system.h"
#include "hash/hasher.h"
#include "odb/object_database.h"
#include "testing/allocations.h"
#include "testing/repo_builder.h"
#include "testing/value_of.h"

namespace resident {
namespace {

using testing::RepoBuilder;

std::string content_of(int number) {
  return "the content of object " + std::to_string(number) + "\n";
}

// Packs `count` objects. Returns the bytes allocated by four reads, after four other reads.
uint64_t bytes_for_four_objects(int count) {
  RepoBuilder repo;
  repo.init();
  std::string stream;
  for (int i = 0; i < count; ++i) {
    const std::string content = content_of(i);
    stream += "blob\ndata " + std::to_string(content.size()) + "\n" + content + "\n";
  }
  repo.git({"-c", "fastimport.unpackLimit=1", "fast-import", "--quiet"}, stream);
  const auto database = testing::value_of(
      ObjectDatabase::open(posix_file_system(), repo.work() + "/.git/objects", {}));
  std::vector<ObjectId> ids;
  std::vector<std::string> contents;
  for (int i = 0; i < 8; ++i) {
    contents.push_back(content_of(i * (count / 8)));
    ids.push_back(hash_object(HashAlgorithm::kSha1, "blob", as_bytes(contents.back())));
  }
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(database->read(ids[i]).ok());
  const uint64_t before = testing::bytes_allocated;
  for (int i = 4; i < 8; ++i) {
    const auto object = database->read(ids[i]);
    EXPECT_TRUE(object.ok() && object->content == contents[i]);
  }
  return testing::bytes_allocated - before;
}

TEST(ObjectDatabaseMemory, FourObjectsCostTheSameInALargePack) {
  constexpr uint64_t kMaxBytes = 64 << 10;
  const uint64_t in_small = bytes_for_four_objects(200);
  const uint64_t in_large = bytes_for_four_objects(20'000);
  EXPECT_GT(in_small, 0u);
  EXPECT_LE(in_small, kMaxBytes);
  EXPECT_LE(in_large, in_small + 256);
}

}  // namespace
}  // namespace resident
