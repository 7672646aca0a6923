// Tests the number of objects that a clone would receive, with and without bitmaps, against git.
#include "odb/reachable_objects.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "odb/reachability_bitmaps.h"
#include "testing/repo_builder.h"
#include "testing/value_of.h"

namespace resident {
namespace {

using testing::RepoBuilder;

class ReachableObjectsTest : public ::testing::TestWithParam<const char*> {
 protected:
  ReachableObjectsTest() {
    repo_.init({std::string("--object-format=") + GetParam()});
    std::string stream;
    for (int i = 0; i < kCommits; ++i) {
      stream += "commit refs/heads/main\ncommitter A <a@x> " + std::to_string(1700000000 + i) +
                " +0000\ndata 0\nM 100644 inline d/f" + std::to_string(i % 7) + "\ndata 4\n" +
                std::to_string(1000 + i) + "\nM 100644 inline d/e/g\ndata 2\n" +
                std::to_string(10 + i % 3) + "\n";
    }
    repo_.git({"fast-import", "--quiet"}, stream);
    repo_.git({"reset", "-q", "--hard"});
    repo_.git({"branch", "-q", "side", "HEAD~12"});
    repo_.git({"tag", "-a", "-m", "a tag", "annotated", "HEAD~3"});
    repo_.git({"tag", "-a", "-m", "a tag of a tag", "twice", "annotated"});
    repo_.git({"tag", "lightweight", "HEAD~4"});
    repo_.git({"tag", "-a", "-m", "a tag of a tree", "tree", "HEAD~5^{tree}"});
    repo_.git({"tag", "blob", "HEAD:d/f0"});
  }
  void commit(int number) {
    repo_.write("d/f" + std::to_string(number % 7), std::to_string(number));
    repo_.write("d/e/g", std::to_string(10 + number % 3));
    repo_.git({"add", "."});
    repo_.git({"commit", "-q", "-m", std::to_string(number)});
  }
  std::unique_ptr<ObjectDatabase> open() const {
    return testing::value_of(
        ObjectDatabase::open(repo_.work() + "/.git/objects", {.algorithm = algorithm()}));
  }
  static HashAlgorithm algorithm() {
    return std::string(GetParam()) == "sha1" ? HashAlgorithm::kSha1 : HashAlgorithm::kSha256;
  }
  std::vector<ObjectId> refs() {
    std::vector<ObjectId> ids;
    const std::string said = repo_.git({"for-each-ref", "--format=%(objectname)"});
    for (size_t at = 0, end; (end = said.find('\n', at)) != std::string::npos; at = end + 1) {
      ids.push_back(*ObjectId::from_hex(said.substr(at, end - at)));
    }
    return ids;
  }
  // The count of git's own walk.
  size_t as_git() {
    return std::stoul(repo_.git_line({"rev-list", "--count", "--objects", "--all"}));
  }
  static size_t count(ObjectDatabase& objects, const std::vector<ObjectId>& tips) {
    const auto counted = count_reachable_objects(objects, tips);
    EXPECT_TRUE(counted.ok()) << counted.error().message;
    return counted.ok() ? *counted : 0;
  }
  std::string bitmap_path() const {
    for (const auto& entry :
         std::filesystem::directory_iterator(repo_.work() + "/.git/objects/pack")) {
      if (entry.path().extension() == ".bitmap") return entry.path();
    }
    return "";
  }

  // More commits than git gives a bitmap each.
  static constexpr int kCommits = 250;
  RepoBuilder repo_;
};

INSTANTIATE_TEST_SUITE_P(Algorithms, ReachableObjectsTest, ::testing::Values("sha1", "sha256"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(ReachableObjectsTest, AreCountedAsGitDoes) {
  EXPECT_EQ(count(*open(), refs()), as_git());
  repo_.git({"repack", "-qad"});
  EXPECT_EQ(count(*open(), refs()), as_git());
  EXPECT_EQ(open()->bitmaps(), nullptr);
  repo_.git({"repack", "-qadb"});
  const auto objects = open();
  ASSERT_NE(objects->bitmaps(), nullptr);
  EXPECT_EQ(count(*objects, refs()), as_git());
  EXPECT_EQ(objects->bitmaps()->is_verified(), true);
  EXPECT_EQ(count(*objects, refs()), as_git()) << "once more";
  EXPECT_EQ(count(*objects, {}), 0u);
}

TEST_P(ReachableObjectsTest, OutsideOfTheBitmapsAreWalked) {
  repo_.git({"repack", "-qadb"});
  for (int i = 0; i < 10; ++i) commit(kCommits + i);
  repo_.git({"tag", "-a", "-m", "another", "later", "HEAD~2"});
  const std::string id = repo_.git_line({"rev-parse", "HEAD~20"});
  repo_.git({"update-index", "--add", "--cacheinfo", "160000," + id + ",module"});
  repo_.git({"update-index", "--add", "--cacheinfo",
             "160000," + std::string(id.size(), '7') + ",elsewhere"});
  repo_.git({"commit", "-q", "-m", "commits of other repositories"});
  const auto objects = open();
  ASSERT_NE(objects->bitmaps(), nullptr);
  EXPECT_EQ(count(*objects, refs()), as_git());
}

// A commit without a bitmap whose objects are all in the pack.
TEST_P(ReachableObjectsTest, OfACommitWithoutABitmapAreWalkedToTheNextThatHasOne) {
  repo_.git({"repack", "-qadb"});
  const auto objects = open();
  ASSERT_NE(objects->bitmaps(), nullptr);
  const std::string said = repo_.git({"rev-list", "HEAD"});
  int tried = 0;
  for (size_t at = 0, end; (end = said.find('\n', at)) != std::string::npos; at = end + 1) {
    const std::string hex = said.substr(at, end - at);
    const ObjectId id = *ObjectId::from_hex(hex);
    if (testing::value_of(objects->bitmaps()->reached_from(id)) || ++tried % 10 != 1) continue;
    const size_t expected = std::stoul(repo_.git_line({"rev-list", "--count", "--objects", hex}));
    EXPECT_EQ(count(*objects, {id}), expected) << hex;
  }
  EXPECT_GT(tried, 10);
}

TEST_P(ReachableObjectsTest, ByDamagedBitmapsAreNotBelieved) {
  repo_.git({"repack", "-qadb"});
  std::string content = testing::read_whole_file(bitmap_path());
  content.back() = static_cast<char>(content.back() ^ 1);
  const std::string path = bitmap_path();
  std::filesystem::remove(path);
  testing::write_whole_file(path, content);
  const auto objects = open();
  ASSERT_NE(objects->bitmaps(), nullptr);
  EXPECT_EQ(count(*objects, refs()), as_git());
  EXPECT_EQ(objects->bitmaps()->is_verified(), false);
}

TEST_P(ReachableObjectsTest, OfReplacedHistoryAreThoseOfWhatStandsInForIt) {
  repo_.git({"repack", "-qadb"});
  const std::string replaced = repo_.git_line({"rev-parse", "HEAD~2"});
  const std::string root = repo_.git_line({"rev-parse", "main~249"});
  const std::vector<ObjectId> head = {*ObjectId::from_hex(repo_.git_line({"rev-parse", "HEAD"}))};
  const auto objects = open();
  objects->set_replacements({{*ObjectId::from_hex(replaced), *ObjectId::from_hex(root)}});
  repo_.git({"replace", replaced, root});
  const std::string said = repo_.git_line({"rev-list", "--count", "--objects", "HEAD"});
  EXPECT_EQ(count(*objects, head), std::stoul(said));
}

TEST_P(ReachableObjectsTest, ThatAreMissingAreAnError) {
  repo_.git({"repack", "-qadb"});
  const auto objects = open();
  const std::vector<ObjectId> tips = {
      *ObjectId::from_hex(std::string(hash_size(algorithm()) * 2, '7'))};
  const auto counted = count_reachable_objects(*objects, tips);
  ASSERT_FALSE(counted.ok());
  EXPECT_EQ(counted.error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace resident
