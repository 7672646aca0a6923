#include "bench/tree_shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "hash/hasher.h"

namespace resident::bench {
namespace {

struct Facts {
  std::set<std::string> paths;
  std::string digest;  // digest of all paths and contents
  uint64_t files = 0;
  double mean_length = 0;
  uint32_t most_in_one = 0;
  uint32_t fewest_in_one = UINT32_MAX;
  size_t deepest = 0;
};

Facts facts_of(const TreeShape& shape) {
  Facts facts;
  Hasher hasher(HashAlgorithm::kSha1);
  uint64_t length = 0;
  for (uint32_t d = 0; d < shape.directories().size(); ++d) {
    const std::string directory = shape.path(d);
    facts.paths.insert(directory);
    facts.deepest = std::max(
        facts.deepest, static_cast<size_t>(std::count(directory.begin(), directory.end(), '/')));
    const uint32_t count = shape.directories()[d].file_count;
    facts.most_in_one = std::max(facts.most_in_one, count);
    facts.fewest_in_one = std::min(facts.fewest_in_one, count);
    for (uint32_t file = 0; file < count; ++file) {
      const std::string path = directory + shape.file_name(d, file);
      hasher.update(path + "\n" + std::to_string(shape.content_of(d, file)) + "\n");
      facts.paths.insert(path);
      length += path.size();
      ++facts.files;
    }
  }
  for (const std::string& text : TreeShape::contents()) hasher.update(text);
  facts.digest = hasher.finish().hex();
  facts.mean_length = static_cast<double>(length) / static_cast<double>(facts.files);
  return facts;
}

TEST(TreeShape, SourceTreeIsShapedLikeABrowsers) {
  const TreeShape shape = *TreeShape::named("400k");
  const Facts facts = facts_of(shape);
  EXPECT_EQ(shape.file_count(), 400'000u);
  EXPECT_EQ(facts.files, 400'000u);
  EXPECT_EQ(shape.directories().size(), 33'000u);
  EXPECT_EQ(facts.paths.size(), 433'000u) << "every path is there once";
  EXPECT_NEAR(facts.mean_length, 60, 1.5);
  EXPECT_GE(facts.deepest, 8u);
  EXPECT_LE(facts.deepest, 12u);
  EXPECT_EQ(facts.fewest_in_one, 1u) << "git keeps no directory without files";
  EXPECT_GE(facts.most_in_one, 100u);
}

TEST(TreeShape, RegularIsGitsOwn) {
  const TreeShape shape = *TreeShape::named("1m");
  EXPECT_EQ(shape.file_count(), 1'000'000u);
  EXPECT_EQ(shape.directories().size(), 111'111u);
  const TreeShape small = TreeShape::regular(1000, 4, 3);
  const Facts facts = facts_of(small);
  EXPECT_EQ(facts.files, 1000u);
  EXPECT_EQ(small.directories().size(), 1u + 4 + 16 + 64);
  EXPECT_EQ(facts.paths.size(), 1085u);
  EXPECT_LE(facts.most_in_one - facts.fewest_in_one, 1u);
  EXPECT_EQ(facts.deepest, 3u);
}

// Guards the cache of repositories: a changed shape needs a new kVersion.
TEST(TreeShape, IsTheSameEverywhere) {
  EXPECT_EQ(TreeShape::kVersion, 1);
  EXPECT_EQ(facts_of(*TreeShape::named("tiny")).digest, "a2ed4e58946334ecf2eca84a5c56595863966f10");
  EXPECT_EQ(facts_of(TreeShape::regular(1000, 4, 3)).digest,
            "9a02ff2c80cc1d9fb9715ca92af7df181585de4a");
}

TEST(TreeShape, AnyNumberOfFiles) {
  for (uint32_t files : {1u, 2u, 13u, 5000u}) {
    const TreeShape shape = *TreeShape::named(std::to_string(files));
    EXPECT_EQ(facts_of(shape).files, files);
    EXPECT_EQ(shape.file_count(), files);
  }
  for (const char* name : {"", "0", "-1", "1e3", "400K", "12x"}) {
    EXPECT_FALSE(TreeShape::named(name)) << name;
  }
}

TEST(TreeShape, ContentsDiffer) {
  const std::vector<std::string>& contents = TreeShape::contents();
  EXPECT_EQ(std::set<std::string>(contents.begin(), contents.end()).size(), contents.size());
  const TreeShape shape = *TreeShape::named("tiny");
  std::set<uint32_t> used;
  for (uint32_t d = 0; d < shape.directories().size(); ++d) {
    for (uint32_t file = 0; file < shape.directories()[d].file_count; ++file) {
      const uint32_t content = shape.content_of(d, file);
      ASSERT_LT(TreeShape::changed_content(content), contents.size());
      used.insert(content);
    }
  }
  EXPECT_GT(used.size(), contents.size() / 4);
}

}  // namespace
}  // namespace resident::bench
