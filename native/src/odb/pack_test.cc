// Tests packs that git would never write. Each violation of the format must give an error that
// names it.
#include "odb/pack.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "fs/linux/posix_file_system.h"
#include "hash/hasher.h"
#include "odb/delta.h"
#include "odb/loose.h"
#include "odb/object_database.h"
#include "testing/pack_writer.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::delta_copy;
using testing::delta_insert;
using testing::make_delta;
using testing::PackWriter;
using testing::read_whole_file;
using testing::RepoBuilder;
using testing::write_whole_file;

constexpr int kBlob = 3;

ObjectId id_of(std::string_view content) {
  return hash_object(HashAlgorithm::kSha1, "blob", as_bytes(content));
}

class PackTest : public ::testing::Test {
 protected:
  PackTest() { std::filesystem::create_directories(pack_dir()); }

  std::string pack_dir() const { return root_.path("objects/pack"); }
  std::string pack_file() const { return pack_dir() + "/pack-made.pack"; }
  std::string index_file() const { return pack_dir() + "/pack-made.idx"; }

  std::unique_ptr<ObjectDatabase> open(ObjectDatabase::Options options = {}) {
    auto database = ObjectDatabase::open(posix_file_system(), root_.path("objects"), options);
    EXPECT_TRUE(database.ok());
    return std::move(*database);
  }
  // The message of the kCorrupt error that read() returns for `id`. read_info() may succeed or
  // fail.
  std::string error_of(const ObjectId& id) {
    auto database = open();
    [[maybe_unused]] auto info = database->read_info(id);
    auto object = database->read(id);
    EXPECT_FALSE(object.ok());
    if (object.ok()) return "none";
    EXPECT_EQ(object.error().code, ErrorCode::kCorrupt) << object.error().message;
    EXPECT_TRUE(object.error().message.starts_with(pack_dir())) << object.error().message;
    return object.error().message;
  }
  // The problem that open() reports for a damaged index. Its objects are not found.
  std::string problem() {
    auto problems = open()->problems();
    return problems.size() == 1 ? problems[0].message
                                : std::to_string(problems.size()) + " problems";
  }

  RepoBuilder root_;
};

#define EXPECT_ENDS_WITH(text, end) \
  EXPECT_TRUE(std::string(text).ends_with(end)) << std::string(text)

TEST_F(PackTest, ReadsHandMadeEntries) {
  const std::string base(300, 'b');
  const std::string target = base.substr(10, 200) + "tail";
  const std::string delta =
      make_delta(base.size(), target.size(), delta_copy(10, 200) + delta_insert("tail"));
  PackWriter writer;
  const uint64_t first = writer.add(kBlob, id_of(base), base);
  const ObjectId by_offset = id_of(target), by_id = id_of("stands for the same target");
  writer.add(kBlob, id_of(""), "");
  writer.add_ofs_delta(by_offset, 12 + writer.pack_bytes().size() - 32 - first, delta);
  writer.add_ref_delta(by_id, id_of(base), delta);
  writer.write(pack_dir());
  auto database = open();
  EXPECT_EQ(*database->read_blob(id_of(base)), base);
  EXPECT_EQ(*database->read_blob(id_of("")), "");
  EXPECT_EQ(*database->read_blob(by_offset), target);
  EXPECT_EQ(*database->read_blob(by_id), target);
  EXPECT_EQ(database->read_info(by_id)->size, target.size());
  EXPECT_TRUE(database->verify(by_offset).ok());
  EXPECT_FALSE(database->verify(by_id).ok());
}

TEST_F(PackTest, GarbagePackHeader) {
  PackWriter writer;
  writer.add(kBlob, id_of("a"), "a");
  writer.write(pack_dir());
  const std::string good = read_whole_file(pack_file());
  auto with = [&](size_t at, char byte) {
    std::string bytes = good;
    bytes[at] = byte;
    write_whole_file(pack_file(), bytes);
    return error_of(id_of("a"));
  };
  EXPECT_ENDS_WITH(with(0, 'X'), ": not a pack: its signature is wrong");
  EXPECT_ENDS_WITH(with(11, 7), ": the pack has 7 objects, and the pack index has 1");
  EXPECT_ENDS_WITH(with(good.size() - 1, static_cast<char>(good.back() ^ 1)),
                   ": does not match its index");
  write_whole_file(pack_file(), good.substr(0, 20));
  EXPECT_ENDS_WITH(error_of(id_of("a")), ": too short for a pack");
  write_whole_file(pack_file(), "");
  EXPECT_ENDS_WITH(error_of(id_of("a")), ": too short for a pack");

  std::string other_version = good;
  other_version[7] = 4;
  write_whole_file(pack_file(), other_version);
  EXPECT_EQ(open()->read(id_of("a")).error().code, ErrorCode::kUnsupported);
}

TEST_F(PackTest, IndexPointsOutsideItsPack) {
  PackWriter writer;
  writer.add(kBlob, id_of("a"), "a");
  for (uint64_t offset :
       {uint64_t{0}, uint64_t{11}, uint64_t{1} << 20, uint64_t{1} << 60, UINT64_MAX}) {
    writer.add_to_index(id_of(std::to_string(offset)), offset);
  }
  writer.write(pack_dir());
  for (uint64_t offset :
       {uint64_t{0}, uint64_t{11}, uint64_t{1} << 20, uint64_t{1} << 60, UINT64_MAX}) {
    EXPECT_ENDS_WITH(error_of(id_of(std::to_string(offset))),
                     ": the pack index points outside its pack");
  }
  EXPECT_EQ(*open()->read_blob(id_of("a")), "a");
}

TEST_F(PackTest, DamagedIndexes) {
  PackWriter writer;
  for (int i = 0; i < 20; ++i) writer.add(kBlob, id_of(std::to_string(i)), std::to_string(i));
  writer.add_to_index(id_of("far"), uint64_t{1} << 40);
  writer.write(pack_dir());
  const std::string good = read_whole_file(index_file());
  auto with = [&](const std::string& bytes) {
    write_whole_file(index_file(), bytes);
    EXPECT_FALSE(open()->contains(id_of("0")));
    return problem();
  };
  EXPECT_ENDS_WITH(with(""), ": too small for a pack index");
  EXPECT_ENDS_WITH(with(good.substr(0, 1071)), ": too small for a pack index");
  EXPECT_ENDS_WITH(with(good.substr(0, good.size() - 9)),
                   ": size does not match its number of objects");
  EXPECT_ENDS_WITH(with(good + std::string(8 * 20, 'x')),
                   ": size does not match its number of objects");
  std::string bytes = good;
  bytes[8 + 4 * 3] = 1;  // the fan-out of 3 becomes larger than that of 4
  EXPECT_ENDS_WITH(with(bytes), ": fan-out table is not monotonic");
  bytes = good;
  bytes[7] = 3;
  EXPECT_ENDS_WITH(with(bytes), ": pack index version 3");
  bytes = good;
  bytes[0] = 0;  // makes it version 1
  bytes[1] = bytes[2] = bytes[3] = bytes[7] = 0;
  EXPECT_ENDS_WITH(with(bytes), ": size does not match its number of objects");

  // An index of an 8-byte offset outside the table.
  bytes = good;
  const size_t offsets = 8 + 1024 + 21 * 24;
  for (size_t i = 0; i < 21; ++i) {
    if (bytes[offsets + 4 * i] != '\0') bytes[offsets + 4 * i + 3] = 7;
  }
  write_whole_file(index_file(), bytes);
  EXPECT_ENDS_WITH(error_of(id_of("far")), "lies outside the file");
}

TEST_F(PackTest, UnknownObjectTypes) {
  PackWriter writer;
  writer.add(5, id_of("five"), "five");
  writer.add(0, id_of("zero"), "zero");
  writer.write(pack_dir());
  EXPECT_ENDS_WITH(error_of(id_of("five")), ": unknown object type 5");
  EXPECT_ENDS_WITH(error_of(id_of("zero")), ": unknown object type 0");
}

TEST_F(PackTest, SizesThatLie) {
  PackWriter writer;
  writer.add(kBlob, id_of("bomb"), "bomb", uint64_t{1} << 60);
  writer.add(kBlob, id_of("most"), "most", UINT64_MAX);
  writer.add(kBlob, id_of("more"), "more", 5);
  writer.add(kBlob, id_of("less"), "less", 3);
  writer.write(pack_dir());
  EXPECT_ENDS_WITH(error_of(id_of("bomb")), "more than its compressed bytes can hold");
  EXPECT_ENDS_WITH(error_of(id_of("most")), "more than its compressed bytes can hold");
  EXPECT_ENDS_WITH(error_of(id_of("more")), ": inflates to less than its header claims");
  EXPECT_ENDS_WITH(error_of(id_of("less")), ": inflates to more than its header claims");
}

TEST_F(PackTest, ASizeThatNeverEnds) {
  PackWriter writer;
  const uint64_t offset = writer.add(kBlob, id_of("a"), std::string(40, 'a'));
  writer.write(pack_dir());
  std::string bytes = read_whole_file(pack_file());
  std::fill(bytes.begin() + static_cast<long>(offset), bytes.end() - 20, '\xff');
  write_whole_file(pack_file(), bytes);
  EXPECT_ENDS_WITH(error_of(id_of("a")), ": malformed size");
}

TEST_F(PackTest, DeltasWithoutABase) {
  const ObjectId missing = id_of("missing");
  PackWriter writer;
  writer.add_ref_delta(id_of("a"), missing, make_delta(1, 1, delta_insert("a")));
  writer.add_ofs_delta(id_of("b"), 1 << 20, make_delta(1, 1, delta_insert("a")));
  writer.add_ofs_delta(id_of("c"), 0, make_delta(1, 1, delta_insert("a")));
  writer.write(pack_dir());
  EXPECT_ENDS_WITH(error_of(id_of("a")), ": delta base " + missing.hex() + " is not in this pack");
  EXPECT_ENDS_WITH(error_of(id_of("b")), ": delta base lies outside the pack");
  EXPECT_ENDS_WITH(error_of(id_of("c")), ": delta base lies outside the pack");
}

TEST_F(PackTest, CyclesOfDeltas) {
  const std::string delta = make_delta(1, 1, delta_insert("a"));
  PackWriter writer;
  writer.add_ref_delta(id_of("self"), id_of("self"), delta);
  // A chain of ten deltas that leads into a cycle of ten.
  for (int i = 0; i < 20; ++i) {
    const int base = i == 19 ? 10 : i + 1;
    writer.add_ref_delta(id_of(std::to_string(i)), id_of(std::to_string(base)), delta);
  }
  writer.write(pack_dir());
  EXPECT_ENDS_WITH(error_of(id_of("self")), ": cycle of deltas");
  EXPECT_ENDS_WITH(error_of(id_of("0")), ": cycle of deltas");
  EXPECT_ENDS_WITH(error_of(id_of("15")), ": cycle of deltas");
  EXPECT_EQ(open()->read_info(id_of("0")).error().code, ErrorCode::kCorrupt);
}

TEST_F(PackTest, AVeryLongChainNeedsNoStack) {
  constexpr int kLength = 20000;
  PackWriter writer;
  ObjectId previous = id_of("base");
  writer.add(kBlob, previous, "x");
  for (int i = 0; i < kLength; ++i) {
    const ObjectId id = id_of(std::to_string(i));
    writer.add_ref_delta(id, previous, make_delta(1, 1, delta_copy(0, 1)));
    previous = id;
  }
  writer.write(pack_dir());
  EXPECT_EQ(*open({.delta_base_cache_bytes = 100})->read_blob(previous), "x");
}

TEST_F(PackTest, ADamagedCopyYieldsToASoundOne) {
  PackWriter damaged;
  damaged.add(5, id_of("a"), "a");
  const std::string base = "the base of b, damaged here", target = base + "!";
  const uint64_t at = damaged.add(kBlob, id_of(base), base, 5);
  const uint64_t end = damaged.pack_bytes().size() - 20;
  damaged.add_ofs_delta(
      id_of(target), end - at,
      make_delta(base.size(), target.size(),
                 delta_copy(0, static_cast<uint32_t>(base.size())) + delta_insert("!")));
  damaged.write(pack_dir(), "damaged");
  PackWriter sound;
  sound.add(kBlob, id_of("a"), "a");
  sound.write(pack_dir(), "sound");
  write_whole_file(pack_dir() + "/pack-rubbish.idx", "rubbish");
  write_whole_file(pack_dir() + "/pack-rubbish.pack", "rubbish");
  EXPECT_EQ(*open()->read_blob(id_of("a")), "a");

  EXPECT_FALSE(open()->read(id_of(target)).ok());
  write_whole_file(
      loose_object_path(root_.path("objects"), id_of(base)),
      testing::zlib_compress("blob " + std::to_string(base.size()) + std::string(1, '\0') + base));
  EXPECT_EQ(*open()->read_blob(id_of(base)), base);
  EXPECT_EQ(*open()->read_blob(id_of(target)), target);
}

// Changes every byte of a pack and its index, and truncates both at many lengths. No read may
// crash. If the content is wrong, verify() must notice it.
TEST_F(PackTest, DamageNeverCrashes) {
  std::mt19937 random(11);
  const std::string base = "some base, some base, some base";
  PackWriter writer;
  writer.add(kBlob, id_of(base), base);
  const std::string target = base.substr(5) + "x";
  writer.add_ref_delta(
      id_of(target), id_of(base),
      make_delta(base.size(), target.size(),
                 delta_copy(5, static_cast<uint32_t>(base.size()) - 5) + delta_insert("x")));
  writer.write(pack_dir());
  auto read_all = [&] {
    auto database = open();
    for (const std::string& content : {base, target}) {
      auto object = database->read(id_of(content));
      [[maybe_unused]] auto info = database->read_info(id_of(content));
      if (object.ok() && (object->type != ObjectType::kBlob || object->content != content)) {
        EXPECT_FALSE(database->verify(id_of(content)).ok());
      }
    }
  };
  for (const std::string& path : {pack_file(), index_file()}) {
    const std::string good = read_whole_file(path);
    for (size_t at = 0; at < good.size(); ++at) {
      std::string bytes = good;
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
      write_whole_file(path, bytes);
      read_all();
      if (at % 3 == 0) {
        write_whole_file(path, good.substr(0, at));
        read_all();
      }
    }
    write_whole_file(path, good);
  }
}

TEST(Delta, BadOnesHaveNamedErrors) {
  const std::string base = "0123456789";
  auto error_of = [&](const std::string& delta) {
    auto target = apply_delta(base, delta, 1 << 20);
    return target.ok() ? std::string("none") : target.error().message;
  };
  EXPECT_EQ(error_of(make_delta(10, 3, delta_copy(7, 3))), "none");
  EXPECT_EQ(error_of(""), "malformed delta header");
  EXPECT_EQ(error_of("\x8a"), "malformed delta header");
  EXPECT_EQ(error_of(std::string(12, '\xff')), "malformed delta header");
  EXPECT_EQ(error_of(make_delta(9, 3, delta_copy(7, 3))), "delta is for a base of another size");
  EXPECT_EQ(error_of(make_delta(10, 4, delta_copy(7, 4))), "delta copies from outside its base");
  EXPECT_EQ(error_of(make_delta(10, 4, delta_copy(0xffffffff, 4))),
            "delta copies from outside its base");
  EXPECT_EQ(error_of(make_delta(10, 2, delta_copy(7, 3))),
            "delta writes past the end of its target");
  EXPECT_EQ(error_of(make_delta(10, 4, delta_copy(7, 3))), "delta writes less than its target");
  EXPECT_EQ(error_of(make_delta(10, uint64_t{1} << 60, delta_copy(7, 3))),
            "delta writes less than its target");
  EXPECT_EQ(error_of(make_delta(10, 3,
                                "\x05"
                                "ab")),
            "delta ends inside an insert instruction");
  EXPECT_EQ(error_of(make_delta(10, 3, "\x91")), "delta ends inside a copy instruction");
  EXPECT_EQ(error_of(make_delta(10, 3, std::string(1, '\0'))),
            "delta holds the reserved instruction 0");
  EXPECT_EQ(apply_delta(base, make_delta(10, 10, delta_copy(0, 10)), 9).error().code,
            ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace resident
