// Abbreviations against `git rev-parse --short`.
#include "odb/abbreviation.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "fs/linux/posix_file_system.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;

class AbbreviationTest : public ::testing::Test {
 protected:
  // Imports `count` blobs. They are packed if there are more than git's fastimport.unpackLimit.
  void import_blobs(int count, const std::string& name) {
    std::string stream;
    for (int i = 0; i < count; ++i) {
      const std::string content = name + " " + std::to_string(i);
      stream += "blob\ndata " + std::to_string(content.size()) + "\n" + content + "\n";
    }
    repo_.git({"fast-import", "--quiet"}, stream);
  }

  std::vector<std::string> lines(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }

  std::vector<std::string> all_ids() {
    return lines(repo_.git({"cat-file", "--batch-all-objects", "--batch-check=%(objectname)"}));
  }

  // Compares abbreviations of several lengths. Returns how many needed more digits than requested.
  int expect_as_git(const std::vector<std::string>& ids) {
    auto objects = ObjectDatabase::open(posix_file_system(), repo_.work() + "/.git/objects",
                                        {.algorithm = algorithm_});
    EXPECT_TRUE(objects.ok());
    if (!objects.ok()) return 0;
    int extended = 0;
    for (std::optional<int> length : {std::optional<int>(), std::optional(4), std::optional(5),
                                      std::optional(9), std::optional(40)}) {
      const std::string option = length ? "--short=" + std::to_string(*length) : "--short";
      for (const std::string& id : ids) {
        auto ours = abbreviate(**objects, *ObjectId::from_hex(id), length);
        EXPECT_TRUE(ours.ok());
        if (!ours.ok()) continue;
        EXPECT_EQ(*ours, repo_.git_line({"rev-parse", option, id}))
            << id << " " << length.value_or(0);
        extended += length && static_cast<int>(ours->size()) > *length;
      }
    }
    return extended;
  }

  RepoBuilder repo_;
  HashAlgorithm algorithm_ = HashAlgorithm::kSha1;
};

// From sorted ids, picks ids that share four digits with the next id, and a few others.
std::vector<std::string> interesting(const std::vector<std::string>& ids) {
  std::vector<std::string> some;
  for (size_t i = 0; i + 1 < ids.size(); ++i) {
    const bool close = ids[i].substr(0, 4) == ids[i + 1].substr(0, 4);
    if ((close && some.size() < 20) || i % (ids.size() / 5) == 0) some.push_back(ids[i]);
  }
  return some;
}

TEST_F(AbbreviationTest, LooseObjects) {
  repo_.init();
  repo_.git({"config", "fastimport.unpackLimit", "5000"});
  import_blobs(2000, "loose");
  EXPECT_GT(expect_as_git(interesting(all_ids())), 0);
}

TEST_F(AbbreviationTest, ThePacksCountAndTheirNumberDecidesTheLength) {
  repo_.init();
  import_blobs(17000, "packed");
  const auto ids = interesting(all_ids());
  EXPECT_EQ(repo_.git_line({"rev-parse", "--short", ids[0]}).size(), 8u);
  EXPECT_GT(expect_as_git(ids), 0);
}

TEST_F(AbbreviationTest, PacksLooseObjectsAndAlternatesTogether) {
  repo_.init({}, "lender");
  import_blobs(3000, "lent");
  repo_.init({}, "repo");
  repo_.write(".git/objects/info/alternates", repo_.path("lender/.git/objects") + "\n");
  import_blobs(3000, "first");
  import_blobs(3000, "second");
  repo_.git({"config", "fastimport.unpackLimit", "5000"});
  import_blobs(500, "loose");
  EXPECT_GT(expect_as_git(interesting(all_ids())), 0);
}

TEST_F(AbbreviationTest, Sha256) {
  repo_.init({"--object-format=sha256"});
  algorithm_ = HashAlgorithm::kSha256;
  import_blobs(2000, "packed");
  EXPECT_GT(expect_as_git(interesting(all_ids())), 0);
}

TEST_F(AbbreviationTest, AnObjectThatDoesNotExist) {
  repo_.init();
  import_blobs(200, "packed");
  auto objects = ObjectDatabase::open(posix_file_system(), repo_.work() + "/.git/objects", {});
  ASSERT_TRUE(objects.ok());
  const std::string hex(40, 'a');
  auto ours = abbreviate(**objects, *ObjectId::from_hex(hex), std::nullopt);
  ASSERT_TRUE(ours.ok());
  EXPECT_EQ(*ours, repo_.git_line({"rev-parse", "--short", hex}));
}

TEST_F(AbbreviationTest, AMultiPackIndexIsNoMatterUntilItDecidesTheLength) {
  repo_.init();
  import_blobs(200, "packed");
  repo_.git({"multi-pack-index", "write"});
  expect_as_git(interesting(all_ids()));
  import_blobs(9000, "more");
  auto objects = ObjectDatabase::open(posix_file_system(), repo_.work() + "/.git/objects", {});
  ASSERT_TRUE(objects.ok());
  // Counted twice, the objects are more than 2^14.
  auto ours = abbreviate(**objects, *ObjectId::from_hex(all_ids()[0]), std::nullopt);
  ASSERT_FALSE(ours.ok());
  EXPECT_EQ(ours.error().code, ErrorCode::kUnsupported);
}

// A repack can leave this state if another repack overtook it.
TEST_F(AbbreviationTest, AMultiPackIndexWhosePacksAreNotThereCountsNevertheless) {
  repo_.init();
  import_blobs(12000, "gone");
  repo_.git({"multi-pack-index", "write"});
  std::vector<std::filesystem::path> packs;
  for (const auto& file :
       std::filesystem::directory_iterator(repo_.work() + "/.git/objects/pack")) {
    if (file.path().filename().string().starts_with("pack-")) packs.push_back(file.path());
  }
  for (const auto& path : packs) std::filesystem::remove(path);
  import_blobs(5000, "there");
  const std::string id = repo_.git_line({"hash-object", "--stdin"});
  EXPECT_EQ(repo_.git_line({"rev-parse", "--short", id}).size(), 8u);
  auto objects = ObjectDatabase::open(posix_file_system(), repo_.work() + "/.git/objects", {});
  ASSERT_TRUE(objects.ok());
  auto ours = abbreviate(**objects, *ObjectId::from_hex(id), std::nullopt);
  ASSERT_FALSE(ours.ok());
  EXPECT_EQ(ours.error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace resident
