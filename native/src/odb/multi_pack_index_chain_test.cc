// Tests chains of multi-pack-indexes. A git before 2.47 cannot write a chain and ignores it. The
// layers are then made from multi-pack-indexes that cover some of the packs.
#include "odb/multi_pack_index_chain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "fs/linux/posix_file_system.h"
#include "odb/multi_pack_index_test_support.h"

namespace resident {
namespace {

class MultiPackIndexChainTest : public testing::MultiPackIndexChainFixture {
 protected:
  MultiPackIndexChainTest() {
    repo_.git({"config", "maintenance.auto", "false"});
    for (const char* message : {"one", "two", "three"}) {
      repo_.write(message, message);
      repo_.git({"add", "-A"});
      repo_.git({"commit", "-q", "-m", message});
      packs_.push_back(
          repo_.git_line({"pack-objects", "-q", "--unpacked", "--all", pack_dir() + "/pack"}));
      repo_.git({"prune-packed", "-q"});
      add_layer();
    }
  }
  void add_layer() {
    const auto written = repo_.try_git({"multi-pack-index", "write", "--incremental"});
    git_reads_chains_ = written.exit_code == 0;
    if (!git_reads_chains_) add_layer_of(packs_.back());
  }
  MultiPackIndexChain read(int newest_version = MultiPackIndex::kNewestVersion) {
    return MultiPackIndexChain::read(posix_file_system(), pack_dir(), algorithm(), newest_version,
                                     [](const std::string&) {});
  }
  bool reads(const ObjectAids& aids = {}) { return MultiPackIndexFixture::reads(objects(), aids); }
  bool git_is_content() { return git_says_only(""); }

  std::vector<std::string> packs_;
  bool git_reads_chains_ = false;
};

TEST_P(MultiPackIndexChainTest, EveryObjectIsInALayer) {
  const MultiPackIndexChain chain = read();
  ASSERT_FALSE(chain.problem) << chain.problem->message;
  ASSERT_EQ(chain.layers.size(), 3u);
  EXPECT_EQ(chain.layers.front()->packs().front(), "pack-" + packs_.back() + ".idx");
  const auto ids = objects();
  EXPECT_EQ(ids.size(), 9u);
  for (const ObjectId& id : ids) {
    const auto count = std::count_if(chain.layers.begin(), chain.layers.end(), [&](auto& layer) {
      const auto place = layer->find(id);
      return place.ok() && place->has_value();
    });
    EXPECT_GE(count, 1);
    // A pack also has the older files of its commit's tree; git leaves these to the lower layer.
    if (git_reads_chains_) {
      EXPECT_EQ(count, 1);
    }
  }
  EXPECT_TRUE(git_is_content());
  EXPECT_TRUE(reads());
}

TEST_P(MultiPackIndexChainTest, DamagedChains) {
  const std::string good = testing::read_whole_file(chain_path());
  const size_t line = good.size() / 3;
  const std::string unknown(line - 1, '1');
  struct {
    std::string content;
    bool content_is_fine;
    size_t layers;
  } const kCases[] = {
      {"", true, 0},
      {"x", false, 0},
      {good.substr(0, line - 1), true, 0},  // a line without its newline is ignored
      {good.substr(0, line), true, 1},
      {good + "x", true, 3},
      {good.substr(0, line) + unknown + "\n", false, 1},
      {std::string(line - 1, 'x') + "\n" + good, false, 0},
  };
  for (const auto& test : kCases) {
    damage(chain_path(), test.content);
    const MultiPackIndexChain chain = read();
    EXPECT_EQ(!chain.problem, test.content_is_fine) << test.content;
    EXPECT_EQ(chain.layers.size(), test.layers) << test.content;
    EXPECT_EQ(reads(), test.content_is_fine) << test.content;
    if (git_reads_chains_) {
      EXPECT_EQ(git_is_content(), test.content_is_fine) << test.content;
    }
    if (chain.problem) {
      EXPECT_NE(chain.problem->message.find(chain_path()), std::string::npos);
    }
  }
}

// If git notices a changed byte of a layer, our reads must fail.
TEST_P(MultiPackIndexChainTest, DamagedLayers) {
  const std::string path =
      layer_path(testing::read_whole_file(chain_path()).substr(0, 2 * hash_size(algorithm())));
  const std::string good = testing::read_whole_file(path);
  for (size_t at = 0; at<good.size(); at += at> 100 && at < 1150 ? 97 : 3) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x80);
    damage(path, bad);
    if (git_reads_chains_ && !git_is_content()) {
      EXPECT_FALSE(reads()) << at;
    }
    if (at < 12 && at != 6) {
      EXPECT_FALSE(reads()) << at;
    }
  }
  damage(path, good.substr(0, good.size() / 2));
  EXPECT_FALSE(reads());
  // Rules of a git that knows no chains.
  EXPECT_TRUE(reads({.multi_pack_index_chain = false}));
  std::filesystem::remove(path);
  EXPECT_FALSE(reads());
}

TEST_P(MultiPackIndexChainTest, NobodyReadsItBesideAMultiPackIndex) {
  std::filesystem::remove_all(directory());
  repo_.git({"multi-pack-index", "write"});
  std::filesystem::create_directories(directory());
  testing::write_whole_file(chain_path(), "x");
  EXPECT_TRUE(git_is_content());
  EXPECT_TRUE(reads());
}

TEST_P(MultiPackIndexChainTest, RefreshTellsOfAnotherChain) {
  auto database =
      ObjectDatabase::open(posix_file_system(), objects_dir(), {.algorithm = algorithm()});
  ASSERT_TRUE(database.ok());
  while ((*database)->refresh()) {
    // Repeat until the files are settled: a later change then alters the stat.
  }
  damage(chain_path(), "x");
  EXPECT_TRUE((*database)->refresh());
  EXPECT_FALSE((*database)->problems().empty());
}

// Packs that are not sorted by name.
TEST_P(MultiPackIndexChainTest, VersionTwo) {
  std::filesystem::remove_all(directory());
  repo_.git({"multi-pack-index", "write"});
  const std::string path = pack_dir() + "/multi-pack-index";
  std::string index = testing::read_whole_file(path);
  const bool git_reads_it =
      repo_.try_git({"-c", "midx.version=2", "multi-pack-index", "write"}).exit_code == 0 &&
      testing::read_whole_file(path)[4] == 2;
  index[4] = 2;
  damage(path, index);
  EXPECT_EQ(git_is_content(), git_reads_it);
  EXPECT_TRUE(reads());
  EXPECT_FALSE(reads({.multi_pack_index_version_2 = false}));
  // Swap the names of two packs. The file is still valid, but the places of their objects are
  // wrong.
  std::vector<std::string> names = packs_;
  std::sort(names.begin(), names.end());
  const size_t first = index.find(names[0]), second = index.find(names[1]);
  index.replace(first, names[0].size(), names[1]);
  index.replace(second, names[1].size(), names[0]);
  damage(path, index);
  EXPECT_TRUE(MultiPackIndex::open(path, algorithm()).ok());
  EXPECT_FALSE(reads());
  index[4] = 1;
  damage(path, index);
  EXPECT_FALSE(MultiPackIndex::open(path, algorithm()).ok());
}

INSTANTIATE_TEST_SUITE_P(Algorithms, MultiPackIndexChainTest, ::testing::Values("sha1", "sha256"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace resident
