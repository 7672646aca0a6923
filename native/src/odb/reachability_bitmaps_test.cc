// Tests git's bitmaps, sound and damaged, against git's own walks.
#include "odb/reachability_bitmaps.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <set>

#include "fs/linux/posix_file_system.h"
#include "odb/ahead_behind.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;

class ReachabilityBitmapsTest : public ::testing::Test {
 protected:
  // 60 commits. Every fifth merges a side branch of one commit.
  explicit ReachabilityBitmapsTest(const std::string& format = "sha1")
      : algorithm_(format == "sha1" ? HashAlgorithm::kSha1 : HashAlgorithm::kSha256) {
    repo_.init({"--object-format=" + format});
    std::string stream;
    for (int i = 1; i <= kCommits; ++i) {
      stream += "commit refs/heads/main\nmark :" + std::to_string(i) + "\ncommitter A <a@x> " +
                std::to_string(1700000000 + i) + " +0000\ndata 0\n";
      if (i > 1) stream += "from :" + std::to_string(i - 1) + "\n";
      if (i > 5 && i % 5 == 0) stream += "merge :" + std::to_string(i - 4) + "\n";
      stream += "M 100644 inline f" + std::to_string(i % 7) + "\ndata 8\n" +
                std::to_string(10000000 + i) + "\n";
    }
    repo_.git({"fast-import", "--quiet"}, stream);
    for (const char* row : {"main~5", "main~20", "main~40"}) {
      repo_.git({"branch", "-q", "b" + std::string(row).substr(5), row});
    }
    for (const auto& id : lines(repo_.git({"rev-list", "--all"}))) {
      commits_.push_back(*ObjectId::from_hex(id));
    }
  }
  static std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> found;
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at);
      found.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return found;
  }
  std::string pack_dir() const { return repo_.work() + "/.git/objects/pack"; }
  std::shared_ptr<const ReachabilityBitmaps> bitmaps() {
    database_ = *ObjectDatabase::open(posix_file_system(), repo_.work() + "/.git/objects",
                                      {.algorithm = algorithm_});
    return database_->bitmaps();
  }
  std::string file_ending(const std::string& suffix) {
    for (const auto& entry : std::filesystem::directory_iterator(pack_dir())) {
      if (entry.path().string().ends_with(suffix)) return entry.path();
    }
    return "";
  }
  static void replace(const std::string& path, const std::string& content) {
    std::filesystem::remove(path);
    testing::write_whole_file(path, content);
  }
  // Damages each place of a bitmap file, with and without a lookup table. open() must refuse the
  // file, or Verification must find the damage. No read may leave the file.
  void expect_damage_is_found(
      const std::function<std::string(const std::string& whole, size_t at)>& damaged) {
    for (const char* table : {"false", "true"}) {
      repo_.git({"-c", std::string("pack.writeBitmapLookupTable=") + table, "repack", "-qadbF"});
      const std::string path = file_ending(".bitmap");
      const std::string whole = testing::read_whole_file(path);
      database_ = *ObjectDatabase::open(posix_file_system(), repo_.work() + "/.git/objects", {});
      const PackIndex& index = database_->places().packs[0]->index();
      for (size_t at = 0; at < whole.size(); ++at) {
        replace(path, damaged(whole, at));
        const auto file = BitmapFile::open(path, {.own = index.count()}, index.pack_checksum(),
                                           HashAlgorithm::kSha1);
        if (!file.ok()) continue;
        for (uint32_t number = 0; number < index.count(); ++number) {
          (void)file->reached_from(number);
        }
        BitmapFile::Verification verification(*file);
        EXPECT_FALSE(verification.step(whole.size()).ok()) << at;
      }
    }
  }
  // Each bitmap must have the objects that git finds by a walk. Returns how many commits have a
  // bitmap.
  int expect_as_git(const ReachabilityBitmaps& bitmaps) {
    int with_bitmap = 0;
    for (const ObjectId& commit : commits_) {
      const auto reached = bitmaps.reached_from(commit);
      EXPECT_TRUE(reached.ok()) << reached.error().message;
      if (!reached.ok() || !*reached) continue;
      ++with_bitmap;
      std::set<uint32_t> expected;
      for (const auto& line :
           lines(repo_.git({"rev-list", "--objects", "--no-object-names", commit.hex()}))) {
        const auto position = bitmaps.position_of(*ObjectId::from_hex(line));
        EXPECT_TRUE(position.ok() && *position) << line;
        if (position.ok() && *position) expected.insert(**position);
      }
      std::set<uint32_t> found;
      for (uint32_t i = 0; i < bitmaps.size(); ++i) {
        if ((*reached)->test(i)) found.insert(i);
      }
      EXPECT_EQ(found, expected) << commit.hex();
    }
    const auto all = bitmaps.commits();
    EXPECT_TRUE(all.ok() && all->count() == commits_.size());
    return with_bitmap;
  }

  static constexpr int kCommits = 60;
  const HashAlgorithm algorithm_;
  RepoBuilder repo_;
  std::vector<ObjectId> commits_;
  std::unique_ptr<ObjectDatabase> database_;
};

class ReachabilityBitmapsOfBothHashes : public ReachabilityBitmapsTest,
                                        public ::testing::WithParamInterface<const char*> {
 protected:
  ReachabilityBitmapsOfBothHashes() : ReachabilityBitmapsTest(GetParam()) {}
};

INSTANTIATE_TEST_SUITE_P(Algorithms, ReachabilityBitmapsOfBothHashes,
                         ::testing::Values("sha1", "sha256"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(ReachabilityBitmapsOfBothHashes, OfAPackAreAsGitWalks) {
  EXPECT_EQ(bitmaps(), nullptr);
  for (const char* table : {"false", "true"}) {
    for (const char* reverse : {"false", "true"}) {
      SCOPED_TRACE(std::string(table) + " " + reverse);
      repo_.git({"-c", std::string("pack.writeBitmapLookupTable=") + table, "-c",
                 std::string("pack.writeReverseIndex=") + reverse, "repack", "-qadbF"});
      EXPECT_EQ(file_ending(".rev").empty(), std::string(reverse) == "false");
      const auto found = bitmaps();
      ASSERT_NE(found, nullptr);
      EXPECT_GT(expect_as_git(*found), 3);
    }
  }
}

TEST_P(ReachabilityBitmapsOfBothHashes, OfAMultiPackIndexAreAsGitWalks) {
  // Two packs that share no object: the result depends on which pack comes first.
  repo_.git({"repack", "-qad"});
  std::string whole = file_ending(".idx");
  whole.resize(whole.size() - strlen("idx"));
  for (const char* part : {"main~30\n", "main\n^main~30\n"}) {
    repo_.git({"pack-objects", "-q", "--revs", pack_dir() + "/pack"}, part);
  }
  for (const char* suffix : {"idx", "pack", "rev"}) std::filesystem::remove(whole + suffix);
  std::vector<std::string> packs;
  for (const auto& entry : std::filesystem::directory_iterator(pack_dir())) {
    if (entry.path().extension() == ".idx") packs.push_back(entry.path().filename());
  }
  ASSERT_EQ(packs.size(), 2u);
  for (const char* table : {"false", "true"}) {
    for (const std::string& preferred : packs) {
      std::filesystem::remove(file_ending(".bitmap"));
      std::filesystem::remove(pack_dir() + "/multi-pack-index");
      repo_.git({"-c", std::string("pack.writeBitmapLookupTable=") + table, "multi-pack-index",
                 "write", "--bitmap", "--preferred-pack=" + preferred});
      const auto found = bitmaps();
      ASSERT_NE(found, nullptr);
      EXPECT_GT(expect_as_git(*found), 3);
    }
  }
}

// git before 2.47 writes no pseudo-merges. The test then uses a file without them.
TEST_F(ReachabilityBitmapsTest, PseudoMergesAreReadOver) {
  // git gives most commits of a short history their own bitmap and no pseudo-merge.
  std::string stream;
  for (int i = 1; i <= 250; ++i) {
    const std::string number = std::to_string(i);
    stream += "commit refs/tags/t" + number + "\nmark :" + number + "\ncommitter A <a@x> " +
              std::to_string(1600000000 + i) + " +0000\ndata 0\n";
    stream += i > 1 ? "from :" + std::to_string(i - 1) + "\n" : "";
    stream += "M 100644 inline f\ndata 8\n" + std::to_string(10000000 + i) + "\n";
  }
  repo_.git({"fast-import", "--quiet"}, stream);
  commits_.clear();
  for (const auto& id : lines(repo_.git({"rev-list", "--all"}))) {
    commits_.push_back(*ObjectId::from_hex(id));
  }
  repo_.git({"config", "bitmapPseudoMerge.all.pattern", "refs/tags/"});
  repo_.git({"config", "bitmapPseudoMerge.all.threshold", "now"});
  repo_.git({"config", "bitmapPseudoMerge.all.stableThreshold", "never"});
  repo_.git({"config", "bitmapPseudoMerge.all.sampleRate", "1"});
  for (const char* table : {"false", "true"}) {
    repo_.git({"-c", std::string("pack.writeBitmapLookupTable=") + table, "repack", "-qadbF"});
    const std::string version = repo_.git_line({"version"}).substr(strlen("git version "));
    const auto minor = std::stoi(version.substr(version.find('.') + 1));
    const bool has_merges = testing::read_whole_file(file_ending(".bitmap"))[7] & 0x20;
    EXPECT_EQ(has_merges, minor >= 47 || version[0] > '2');
    const auto found = bitmaps();
    ASSERT_NE(found, nullptr);
    EXPECT_GT(expect_as_git(*found), 3);
  }
}

TEST_F(ReachabilityBitmapsTest, CutOffAtEachLengthItIsNoneOrUnverified) {
  expect_damage_is_found(
      [](const std::string& whole, size_t size) { return whole.substr(0, size); });
}

TEST_F(ReachabilityBitmapsTest, WithAnyByteFlippedItIsNoneOrUnverified) {
  expect_damage_is_found([](std::string whole, size_t at) {
    whole[at] = static_cast<char>(whole[at] ^ 0xff);
    return whole;
  });
}

TEST_F(ReachabilityBitmapsTest, AnEntryAgainstOneBeforeTheFirstIsRefused) {
  repo_.git({"-c", "pack.writeBitmapLookupTable=false", "repack", "-qadbF"});
  const std::string path = file_ending(".bitmap");
  std::string content = testing::read_whole_file(path);
  ByteReader reader(as_bytes(content));
  (void)reader.take(32);
  for (int type = 0; type < 4; ++type) ASSERT_TRUE(EwahBitmap::read(reader).ok());
  content[reader.position() + 4] = 1;
  replace(path, content);
  database_ = *ObjectDatabase::open(posix_file_system(), repo_.work() + "/.git/objects", {});
  const PackIndex& index = database_->places().packs[0]->index();
  const auto file =
      BitmapFile::open(path, {.own = index.count()}, index.pack_checksum(), HashAlgorithm::kSha1);
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().message, path + ": an entry before the first one");
}

// A damaged order must never give a wrong position.
TEST_F(ReachabilityBitmapsTest, AReverseIndexWithAnyByteFlippedIsNotBelieved) {
  repo_.git({"-c", "pack.writeReverseIndex=true", "repack", "-qadbF"});
  const std::string path = file_ending(".rev");
  const std::string whole = testing::read_whole_file(path);
  std::vector<uint32_t> places;
  const auto sound = bitmaps();
  for (const ObjectId& commit : commits_) places.push_back(**sound->position_of(commit));
  const auto pack = database_->places().packs[0];
  const auto check = [&](const std::string& content) {
    replace(path, content);
    const auto order = PackOrder::of(pack, path, HashAlgorithm::kSha1);
    ASSERT_TRUE(order.ok());
    for (size_t i = 0; i < commits_.size(); ++i) {
      const auto place = order->position_of(**order->find(commits_[i]));
      if (place.ok()) {
        EXPECT_EQ(*place, places[i]);
      }
    }
  };
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    check(flipped);
    check(whole.substr(0, at));
  }
}

TEST_F(ReachabilityBitmapsTest, DamagedShallowOrReplacedHistoryIsWalkedInstead) {
  repo_.git({"repack", "-qadbF"});
  const ObjectId tip = commits_.front(), root = commits_.back();
  bool is_replaced = false;
  const auto count = [&](bool& by_bitmaps, std::unordered_set<ObjectId> shallow = {}) {
    database_ = *ObjectDatabase::open(posix_file_system(), repo_.work() + "/.git/objects", {});
    if (is_replaced) database_->set_replacements({{commits_[1], root}});
    StoredCommitReader reader(*database_, std::move(shallow));
    AheadBehindWalk walk(reader, tip, root, 0);
    const auto counted = walk.step({});
    by_bitmaps = walk.counted_by_bitmaps();
    return **counted;
  };
  bool by_bitmaps = false;
  EXPECT_EQ(count(by_bitmaps), (AheadBehind{kCommits - 1, 0}));
  EXPECT_TRUE(by_bitmaps);
  EXPECT_EQ(count(by_bitmaps, {commits_[9]}).behind, 1);
  EXPECT_FALSE(by_bitmaps);
  repo_.git({"replace", commits_[1].hex(), root.hex()});
  is_replaced = true;
  const std::string git_says =
      repo_.git_line({"rev-list", "--left-right", "--count", tip.hex() + "..." + root.hex()});
  EXPECT_EQ(count(by_bitmaps).ahead, std::stoi(git_says));
  EXPECT_LT(std::stoi(git_says), kCommits - 1);
  EXPECT_FALSE(by_bitmaps);
  is_replaced = false;
  const std::string path = file_ending(".bitmap");
  std::string content = testing::read_whole_file(path);
  content.back() = static_cast<char>(content.back() ^ 1);
  replace(path, content);
  EXPECT_EQ(count(by_bitmaps), (AheadBehind{kCommits - 1, 0}));
  EXPECT_FALSE(by_bitmaps);
}

TEST(EwahBitmap, CountsThatAreTooLargeAreRefused) {
  const auto flip = [](const std::string& words, size_t bits) {
    const std::string head("\0\0\0\x40\0\0\0", 7);
    const std::string stored =
        head + static_cast<char>(words.size() / 8) + words + std::string(4, '\0');
    ByteReader reader(as_bytes(stored));
    const auto bitmap = EwahBitmap::read(reader);
    BitSet set(bits);
    const bool is_whole = bitmap.ok() && bitmap->flip(set).ok();
    return is_whole ? std::optional(set.count()) : std::nullopt;
  };
  const std::string one_run("\0\0\0\0\0\0\0\3", 8);   // one word of ones
  const std::string two_runs("\0\0\0\0\0\0\0\5", 8);  // two words of ones
  const std::string literal("\0\0\0\2\0\0\0\0", 8);   // one literal word
  const std::string most("\xff\xff\xff\xff\xff\xff\xff\xff", 8);
  EXPECT_EQ(flip(one_run, 64), 64u);
  EXPECT_EQ(flip(one_run, 50), 50u);
  EXPECT_EQ(flip(two_runs, 64), std::nullopt);
  EXPECT_EQ(flip(literal + most, 64), 64u);
  EXPECT_EQ(flip(literal, 64), std::nullopt);
  EXPECT_EQ(flip(literal + most, 0), std::nullopt);
  EXPECT_EQ(flip(most, 64), std::nullopt);
  const std::string cut("\0\0\0\x40\0\0\0\2\0\0\0\0\0\0\0\3", 16);
  ByteReader reader(as_bytes(cut));
  EXPECT_FALSE(EwahBitmap::read(reader).ok());
}

}  // namespace
}  // namespace resident
