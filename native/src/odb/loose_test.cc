#include "odb/loose.h"

#include <gtest/gtest.h>

#include <string>

#include "fs/linux/posix_file_system.h"
#include "odb/object_database.h"
#include "testing/pack_writer.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;

TEST(LooseObject, BadOnesHaveNamedErrors) {
  RepoBuilder repo;
  repo.init();
  const std::string objects_dir = repo.work() + "/.git/objects";
  auto database = *ObjectDatabase::open(posix_file_system(), objects_dir, {});
  const ObjectId id = *ObjectId::from_hex(std::string(40, '3'));
  const std::string path = loose_object_path(objects_dir, id);
  const std::string nul(1, '\0');
  auto error_of = [&](const std::string& file) {
    testing::write_whole_file(path, file);
    auto object = database->read(id);
    EXPECT_FALSE(object.ok());
    if (object.ok()) return std::string("none");
    EXPECT_EQ(object.error().code, ErrorCode::kCorrupt);
    EXPECT_TRUE(object.error().message.starts_with(path)) << object.error().message;
    return object.error().message.substr(path.size() + 2);
  };
  using testing::zlib_compress;
  EXPECT_EQ(error_of(""), "damaged zlib stream");
  EXPECT_EQ(error_of("garbage"), "damaged zlib stream");
  EXPECT_EQ(error_of(zlib_compress("blob 3" + nul + "abc") + "x"), "garbage after the zlib stream");
  EXPECT_EQ(error_of(zlib_compress("blob 3" + nul + "abcd")),
            "the header says 3 bytes, and the content has 4");
  EXPECT_EQ(error_of(zlib_compress("blob 1152921504606846976" + nul + "abc")),
            "the header says 1152921504606846976 bytes, and the content has 3");
  EXPECT_EQ(error_of(zlib_compress("blob 99999999999999999999" + nul)), "malformed object size");
  EXPECT_EQ(error_of(zlib_compress("blob 03" + nul + "abc")), "malformed object size");
  EXPECT_EQ(error_of(zlib_compress("blob " + nul)), "malformed object size");
  EXPECT_EQ(error_of(zlib_compress("thing 3" + nul + "abc")), "unknown object type 'thing'");
  EXPECT_EQ(error_of(zlib_compress("blob3" + nul + "a c")), "malformed object header");
  EXPECT_EQ(error_of(zlib_compress("blob 3")), "malformed object header");
  EXPECT_EQ(error_of(zlib_compress("")), "malformed object header");
  EXPECT_EQ(error_of(zlib_compress(std::string(200, 'b'))), "malformed object header");

  // Only verify() finds a sound object under a wrong name, as in git.
  testing::write_whole_file(path, zlib_compress("blob 3" + nul + "abc"));
  EXPECT_EQ(*database->read_blob(id), "abc");
  EXPECT_EQ(database->verify(id).error().code, ErrorCode::kCorrupt);
}

TEST(LooseObject, ABombIsRefused) {
  RepoBuilder repo;
  repo.init();
  const std::string objects_dir = repo.work() + "/.git/objects";
  auto database =
      *ObjectDatabase::open(posix_file_system(), objects_dir, {.max_object_bytes = 1 << 20});
  const ObjectId id = *ObjectId::from_hex(std::string(40, '3'));
  testing::write_whole_file(loose_object_path(objects_dir, id),
                            testing::zlib_compress("blob 9" + std::string(4 << 20, '\0')));
  EXPECT_EQ(database->read(id).error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace resident
