// Tests multi-pack-indexes, sound and damaged, against git itself.
#include "odb/multi_pack_index.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "fs/linux/posix_file_system.h"
#include "hash/hasher.h"
#include "odb/multi_pack_index_test_support.h"

namespace resident {
namespace {

class MultiPackIndexTest : public testing::MultiPackIndexFixture {
 protected:
  MultiPackIndexTest() {
    repo_.set_environment("GIT_OPTIONAL_LOCKS", "0");
    for (const char* message : {"one", "two"}) {
      repo_.write(message, message);
      repo_.git({"add", "-A"});
      repo_.git({"commit", "-q", "-m", message});
      repo_.git({"repack", "-q", "-d"});
    }
    repo_.git({"rm", "-q", "--cached", "one"});
    repo_.git({"multi-pack-index", "write"});
  }
  std::string path() const { return pack_dir() + "/multi-pack-index"; }
  void damage(const std::string& content) { MultiPackIndexFixture::damage(path(), content); }
  auto open() { return MultiPackIndex::open(path(), algorithm()); }
  bool git_is_content() { return git_says_only("D  one\n?? one\n"); }
};

TEST_P(MultiPackIndexTest, SaysWhatThePacksSay) {
  const auto index = open();
  ASSERT_TRUE(index.ok()) << index.error().message;
  EXPECT_EQ((*index)->packs().size(), 2u);
  const auto ids = objects();
  EXPECT_EQ(ids.size(), 6u);
  for (const ObjectId& id : ids) {
    const auto place = (*index)->find(id);
    ASSERT_TRUE(place.ok());
    EXPECT_TRUE(place->has_value());
  }
  const auto none = (*index)->find(ObjectId::null(algorithm()));
  ASSERT_TRUE(none.ok());
  EXPECT_FALSE(none->has_value());
  EXPECT_TRUE(git_is_content());
  EXPECT_TRUE(reads(ids));
  // A new object, then a new pack, that are not in the multi-pack-index.
  repo_.write("three", "three");
  repo_.git({"add", "-A"});
  repo_.git({"commit", "-q", "-m", "three"});
  EXPECT_TRUE(reads(objects()));
  repo_.git({"repack", "-q", "-d"});
  EXPECT_TRUE(reads(objects()));
}

// Converts the file to git's form for packs over 2 GiB: all offsets are in a table of 64 bits. The
// last `left_out` bytes of the table are missing.
std::string with_large_offsets(std::string content, HashAlgorithm algorithm, size_t left_out) {
  constexpr size_t kHeader = 12, kRow = 12;
  const auto append = [](std::string& to, uint64_t number, int bytes) {
    while (bytes-- > 0) to += static_cast<char>(number >> 8 * bytes);
  };
  content.resize(content.size() - hash_size(algorithm));
  const size_t chunks = static_cast<uint8_t>(content[6]);
  std::string table, offsets;
  size_t places = 0;
  for (size_t i = 0; i < chunks; ++i) {
    const std::string row = content.substr(kHeader + i * kRow, kRow);
    const uint64_t at = load_be64(as_bytes(row).data() + 4);
    if (row.starts_with("OOFF")) places = at;
    table += row.substr(0, 4);
    append(table, at + kRow, 8);
  }
  const size_t count =
      (load_be64(as_bytes(content).data() + kHeader + chunks * kRow + 4) - places) / 8;
  for (size_t i = 0; i < count; ++i) {
    append(offsets, load_be32(as_bytes(content).data() + places + i * 8 + 4), 8);
    std::string large;
    append(large, 0x80000000 | i, 4);
    content.replace(places + i * 8 + 4, 4, large);
  }
  offsets.resize(offsets.size() - left_out);
  table += "LOFF";
  append(table, content.size() + kRow, 8);
  append(table, 0, 4);
  append(table, content.size() + kRow + offsets.size(), 8);
  content.replace(kHeader, (chunks + 1) * kRow, table);
  content[6] = static_cast<char>(chunks + 1);
  content += offsets;
  return content.append(as_text(hash_bytes(algorithm, as_bytes(content)).bytes()));
}

TEST_P(MultiPackIndexTest, OffsetsOf64Bits) {
  const auto ids = objects();
  const std::string good = testing::read_whole_file(path());
  damage(with_large_offsets(good, algorithm(), 0));
  repo_.git({"multi-pack-index", "verify"});
  EXPECT_TRUE(git_is_content());
  EXPECT_TRUE(reads(ids));
  damage(with_large_offsets(good, algorithm(), 8));
  EXPECT_FALSE(reads(ids));
}

TEST_P(MultiPackIndexTest, NoneIsNotFound) {
  std::filesystem::remove(path());
  EXPECT_EQ(open().error().code, ErrorCode::kNotFound);
  std::filesystem::create_directory(path());
  EXPECT_EQ(open().error().code, ErrorCode::kCorrupt);
  EXPECT_FALSE(git_is_content());
}

// Changes each byte in turn.
TEST_P(MultiPackIndexTest, Damaged) {
  const std::string good = testing::read_whole_file(path());
  const auto ids = objects();
  ASSERT_TRUE(git_is_content());
  int noticed = 0;
  for (size_t at = 0; at < good.size();) {
    for (const int bit : {0x01, 0x80}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ bit);
      damage(bad);
      if (git_is_content()) continue;
      ++noticed;
      EXPECT_FALSE(reads(ids)) << "byte " << at << " of " << good.size();
    }
    // Samples are enough for the fan-out table.
    at += at > 250 && at < 1150 ? 41 : 1;
  }
  EXPECT_GT(noticed, 50);
  for (size_t size : {size_t{0}, size_t{11}, good.size() / 2, good.size() - 1}) {
    damage(good.substr(0, size));
    EXPECT_FALSE(git_is_content());
    EXPECT_FALSE(open().ok()) << size;
  }
  damage(good);
  EXPECT_TRUE(git_is_content());
  EXPECT_TRUE(reads(ids));
}

TEST_P(MultiPackIndexTest, ThePacksThatItNamesAreGone) {
  const auto ids = objects();
  const auto index = open();
  ASSERT_TRUE(index.ok());
  for (std::string_view name : (*index)->packs()) {
    const std::string pack =
        objects_dir() + "/pack/" + std::string(name.substr(0, name.rfind('.')));
    for (const char* suffix : {".idx", ".pack"}) std::filesystem::remove(pack + suffix);
  }
  EXPECT_FALSE(git_is_content());
  EXPECT_FALSE(reads(ids));
}

TEST_P(MultiPackIndexTest, ItIsNotUsed) {
  damage("damaged");
  auto database =
      ObjectDatabase::open(posix_file_system(), objects_dir(), {.algorithm = algorithm()});
  ASSERT_TRUE(database.ok());
  EXPECT_FALSE((*database)->problems().empty());
  (*database)->use({.multi_pack_index = false, .commit_graph = true});
  EXPECT_TRUE((*database)->problems().empty());
  EXPECT_TRUE((*database)->read(objects().front()).ok());
}

TEST_P(MultiPackIndexTest, RefreshTellsOfAnother) {
  auto database =
      ObjectDatabase::open(posix_file_system(), objects_dir(), {.algorithm = algorithm()});
  ASSERT_TRUE(database.ok());
  while ((*database)->refresh()) {
    // Repeat until the files are settled: a later change then alters the stat.
  }
  const std::string good = testing::read_whole_file(path());
  damage("damaged");
  EXPECT_TRUE((*database)->refresh());
  EXPECT_FALSE((*database)->problems().empty());
  damage(good);
  EXPECT_TRUE((*database)->refresh());
  EXPECT_TRUE((*database)->problems().empty());
}

INSTANTIATE_TEST_SUITE_P(Algorithms, MultiPackIndexTest, ::testing::Values("sha1", "sha256"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace resident
