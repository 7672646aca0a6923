// Tests bitmaps of a chain of multi-pack-indexes. If git cannot write them, the test writes them in
// git's format. The bits of each layer start after those of the lower layers.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "fs/linux/posix_file_system.h"
#include "hash/hasher.h"
#include "odb/bitmap_count.h"
#include "odb/multi_pack_index_test_support.h"
#include "odb/reachability_bitmaps.h"

namespace resident {
namespace {

void append_be(std::string& out, uint64_t value, int bytes) {
  while (bytes-- > 0) out += static_cast<char>(value >> 8 * bytes);
}

// A bitmap of one run with literal words.
std::string ewah_of(const std::set<uint32_t>& bits) {
  std::string out;
  const uint32_t size = bits.empty() ? 0 : *bits.rbegin() + 1;
  std::vector<uint64_t> words((size + 63) / 64);
  for (const uint32_t bit : bits) words[bit / 64] |= uint64_t{1} << bit % 64;
  append_be(out, size, 4);
  append_be(out, words.size() + 1, 4);
  append_be(out, uint64_t{words.size()} << 33, 8);
  for (const uint64_t word : words) append_be(out, word, 8);
  append_be(out, 0, 4);
  return out;
}

class BitmapsOfChainsTest : public testing::MultiPackIndexChainFixture {
 protected:
  // Three layers of one pack each, with four commits and their files.
  BitmapsOfChainsTest() {
    repo_.git({"config", "maintenance.auto", "false"});
    for (int layer = 0; layer < 3; ++layer) {
      const std::string before = tip();
      for (int i = 0; i < kCommitsOfLayer; ++i) {
        repo_.write("f" + std::to_string(i), std::to_string(layer));
        repo_.git({"add", "-A"});
        repo_.git({"commit", "-q", "-m", std::to_string(commits_.size())});
        commits_.push_back(*ObjectId::from_hex(tip()));
      }
      packs_.push_back(repo_.git({"pack-objects", "-q", "--revs", pack_dir() + "/pack"},
                                 tip() + "\n" + (before.empty() ? "" : "^" + before + "\n")));
      packs_.back().pop_back();
      repo_.git({"prune-packed", "-q"});
      add_layer();
    }
  }

  std::string tip() {
    const auto said = repo_.try_git({"rev-parse", "-q", "--verify", "HEAD"});
    return said.exit_code == 0 ? said.out.substr(0, said.out.size() - 1) : "";
  }
  std::vector<std::string> layers() const { return lines(testing::read_whole_file(chain_path())); }
  static std::vector<std::string> lines(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> found;
    for (std::string line; std::getline(stream, line);) found.push_back(line);
    return found;
  }

  void add_layer() {
    const auto written = repo_.try_git({"multi-pack-index", "write", "--incremental", "--bitmap"});
    if (written.exit_code != 0) write_bitmaps(add_layer_of(packs_.back()));
  }

  // Used if git writes no chains. Writes the order of the objects of the layer's pack, and a bitmap
  // for each of its commits.
  void write_bitmaps(const ObjectId& layer) {
    const std::string id = layer.hex();
    const std::string checksum(as_text(layer.bytes()));
    const auto index = *MultiPackIndex::open(layer_path(id), algorithm());
    std::map<uint64_t, uint32_t> by_offset;
    for (uint32_t number = 0; number < index->count(); ++number) {
      by_offset.emplace(index->place_at(number)->offset, number);
    }
    const auto below = static_cast<uint32_t>(bits_.size());
    std::string order("RIDX\0\0\0\1", 8);
    append_be(order, algorithm() == HashAlgorithm::kSha1 ? 1 : 2, 4);
    std::vector<uint32_t> bit_of(index->count());
    for (const auto& [offset, number] : by_offset) {
      bit_of[number] = below + static_cast<uint32_t>((order.size() - 12) / 4);
      append_be(order, below + number, 4);
    }
    order += checksum + std::string(hash_size(algorithm()), '\0');
    testing::write_whole_file(layer_path(id, ".rev"), order);

    std::map<std::string, std::set<uint32_t>> types;
    std::string entries;
    uint32_t entry_count = 0;
    for (const ObjectId& object : objects()) {
      const auto number = *index->find_number(object);
      if (!number) continue;
      bits_.emplace(object.hex(), bit_of[*number]);
      types[repo_.git_line({"cat-file", "-t", object.hex()})].insert(bit_of[*number]);
    }
    for (const ObjectId& commit : commits_) {
      const auto number = *index->find_number(commit);
      if (!number) continue;
      std::set<uint32_t> reached;
      for (const std::string& object : reached_from(commit)) reached.insert(bits_.at(object));
      append_be(entries, below + *number, 4);
      append_be(entries, 0, 2);
      entries += ewah_of(reached);
      ++entry_count;
    }
    std::string file("BITM\0\1\0\1", 8);
    append_be(file, entry_count, 4);
    file += checksum;
    for (const char* type : {"commit", "tree", "blob", "tag"}) file += ewah_of(types[type]);
    file += entries;
    file += as_text(hash_bytes(algorithm(), as_bytes(file)).bytes());
    testing::write_whole_file(layer_path(id, ".bitmap"), file);
  }
  std::vector<std::string> reached_from(const ObjectId& commit) {
    return lines(repo_.git({"rev-list", "--objects", "--no-object-names", commit.hex()}));
  }

  std::shared_ptr<const ReachabilityBitmaps> bitmaps() {
    database_ =
        *ObjectDatabase::open(posix_file_system(), objects_dir(), {.algorithm = algorithm()});
    return database_->bitmaps();
  }
  // Runs the count in small steps.
  static Result<BitmapCount::Counts> finish(BitmapCount& count) {
    for (;;) {
      RESIDENT_TRY(const std::optional<BitmapCount::Counts> counts, count.step(1));
      if (counts) return *counts;
    }
  }
  // Returns how many commits have a bitmap. Each bitmap must have the objects that git finds by a
  // walk.
  int expect_as_git(const ReachabilityBitmaps& bitmaps) {
    int found = 0;
    for (const ObjectId& commit : commits_) {
      const auto reached = bitmaps.reached_from(commit);
      EXPECT_TRUE(reached.ok()) << reached.error().message;
      if (!reached.ok() || !*reached) continue;
      ++found;
      const auto expected = reached_from(commit);
      EXPECT_EQ((*reached)->size(), bitmaps.size());
      EXPECT_EQ((*reached)->count(), expected.size()) << commit.hex();
      for (const std::string& object : expected) {
        const auto position = bitmaps.position_of(*ObjectId::from_hex(object));
        EXPECT_TRUE(position.ok() && *position && (*reached)->test(**position)) << object;
      }
    }
    return found;
  }

  static constexpr int kCommitsOfLayer = 4;
  std::vector<ObjectId> commits_;
  std::vector<std::string> packs_;
  std::map<std::string, uint32_t> bits_;  // bits of objects, if the test writes the layers
  std::unique_ptr<ObjectDatabase> database_;
};

TEST_P(BitmapsOfChainsTest, EveryLayerHasTheBitsOfThoseBelow) {
  const auto found = bitmaps();
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->size(), objects().size());
  EXPECT_EQ(found->commits()->count(), commits_.size());
  EXPECT_EQ(expect_as_git(*found), static_cast<int>(commits_.size()));
}

// Commits in layers above are walked, like commits without a bitmap.
TEST_P(BitmapsOfChainsTest, ALayerWithoutThemLeavesThoseBelow) {
  std::filesystem::remove(layer_path(layers()[2], ".bitmap"));
  auto found = bitmaps();
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(expect_as_git(*found), 2 * kCommitsOfLayer);
  std::filesystem::remove(layer_path(layers()[0], ".bitmap"));
  EXPECT_EQ(bitmaps(), nullptr);
}

TEST_P(BitmapsOfChainsTest, CountsAheadAndBehind) {
  repo_.git({"checkout", "-q", "-b", "side", commits_[5].hex()});
  repo_.git({"commit", "-q", "--allow-empty", "-m", "side"});
  const ObjectId side = *ObjectId::from_hex(tip());
  const auto found = bitmaps();
  StoredCommitReader reader(*database_, {});
  BitmapCount count(reader, found, side, commits_.back());
  const auto counts = finish(count);
  ASSERT_TRUE(counts.ok()) << counts.error().message;
  EXPECT_EQ(counts->ahead, 1u);
  EXPECT_EQ(counts->behind, commits_.size() - 6);
  EXPECT_EQ(found->is_verified(), true);
}

// Damage in any layer's file must be found before an answer relies on it.
TEST_P(BitmapsOfChainsTest, DamageOfAnyLayerIsFound) {
  for (const std::string& layer : layers()) {
    const std::string path = layer_path(layer, ".bitmap");
    const std::string good = testing::read_whole_file(path);
    std::string bad = good;
    bad[bad.size() - 1] = static_cast<char>(bad[bad.size() - 1] ^ 1);
    damage(path, bad);
    const auto found = bitmaps();
    ASSERT_NE(found, nullptr);
    StoredCommitReader reader(*database_, {});
    BitmapCount count(reader, found, commits_.front(), commits_.back());
    EXPECT_FALSE(finish(count).ok());
    EXPECT_EQ(found->is_verified(), false);
    damage(path, good);
  }
}

// A changed byte in a layer's files may cause an error, but never an access out of bounds.
TEST_P(BitmapsOfChainsTest, DamagedBytesLeadNowhere) {
  for (const char* suffix : {".bitmap", ".midx"}) {
    const std::string path = layer_path(layers()[1], suffix);
    const std::string good = testing::read_whole_file(path);
    for (size_t at = 0; at < good.size(); at += 5) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 0x81);
      damage(path, bad);
      const auto found = bitmaps();
      if (!found) continue;
      for (const ObjectId& commit : commits_) {
        const auto reached = found->reached_from(commit);
        if (reached.ok() && *reached) {
          EXPECT_EQ((*reached)->size(), found->size());
        }
        const auto position = found->position_of(commit);
        if (position.ok() && *position) {
          EXPECT_LT(**position, found->size());
        }
      }
    }
    damage(path, good);
  }
}

INSTANTIATE_TEST_SUITE_P(Algorithms, BitmapsOfChainsTest, ::testing::Values("sha1", "sha256"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace resident
