// Split indexes written by git, compared with git's output, and damaged ones.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <tuple>

#include "index/index_test_support.h"

namespace resident {
namespace {

using namespace testing;

class SplitIndex : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  void start() {
    repo.init({std::string("--object-format=") + std::get<1>(GetParam())});
    options.algorithm = std::string(std::get<1>(GetParam())) == "sha1" ? HashAlgorithm::kSha1
                                                                       : HashAlgorithm::kSha256;
    repo.git({"config", "index.version", std::get<0>(GetParam())});
    repo.git({"config", "splitIndex.maxPercentChange", "100"});
    fill(repo);
    repo.git({"commit", "-qm", "1"});
    repo.git({"update-index", "--split-index"});
  }

  RepoBuilder repo;
  Index::LoadOptions options = sha1();
};

TEST_P(SplitIndex, EqualsGit) {
  start();
  expect_equals_git(repo, options);
  auto fresh = load(repo, options);
  ASSERT_TRUE(fresh && fresh->cache_tree());
  // The counts in the cache tree are of the merged entries.
  for (const CacheTree::Node& node : fresh->cache_tree()->nodes()) EXPECT_TRUE(node.valid());
  repo.write("a", "replaced");
  repo.write("b/deep/er/file", "replaced too");
  repo.write("Makefile", "and this");
  repo.git({"add", "-A"});
  expect_equals_git(repo, options);
  repo.git({"rm", "-q", "--cached", "a.c", "c/only/d/one"});
  expect_equals_git(repo, options);
  repo.write("0", "first");
  repo.write("b/deep/new", "in the middle");
  repo.write("zz", "last");
  repo.git({"add", "0", "b/deep/new", "zz"});
  expect_equals_git(repo, options);
  repo.git({"update-index", "--skip-worktree", "b/x"});
  repo.git({"update-index", "--assume-unchanged", "b-/y"});
  repo.write("later", "intent");
  repo.git({"add", "-N", "later"});
  expect_equals_git(repo, options);
  auto index = load(repo, options);
  ASSERT_TRUE(index);
  EXPECT_GT(index->mtime().seconds, 0);
}

TEST_P(SplitIndex, ConflictsTakeTheirPlace) {
  start();
  const std::string blob = repo.git_line({"hash-object", "-w", "--stdin"}, "x");
  const std::string zero(blob.size(), '0');
  repo.git({"update-index", "--index-info"}, "0 " + zero + "\ta\n100644 " + blob +
                                                 " 1\ta\n100644 " + blob + " 3\ta\n100644 " + blob +
                                                 " 2\tb/new\n");
  expect_equals_git(repo, options);
  repo.write("a", "resolved");
  repo.git({"add", "a"});
  expect_equals_git(repo, options);
}

TEST_P(SplitIndex, EverythingDeleted) {
  start();
  repo.git({"rm", "-rq", "--cached", "."});
  expect_equals_git(repo, options);
}

TEST_P(SplitIndex, SharedFilesFollowEachOther) {
  start();
  repo.git({"config", "splitIndex.maxPercentChange", "0"});
  for (const char* name : {"one", "two", "three"}) {
    repo.write(name, name);
    repo.git({"add", name});
    expect_equals_git(repo, options);
  }
}

INSTANTIATE_TEST_SUITE_P(Index, SplitIndex,
                         ::testing::Combine(::testing::Values("2", "4"),
                                            ::testing::Values("sha1", "sha256")));

std::string shared_file(const RepoBuilder& repo) {
  std::string found;
  for (const auto& entry : std::filesystem::directory_iterator(repo.work() + "/.git")) {
    if (entry.path().filename().string().starts_with("sharedindex.")) found = entry.path();
  }
  return found;
}

// A few entries of each kind: kept, replaced, deleted, added.
void make_split(RepoBuilder& repo, const char* version) {
  repo.init();
  repo.git({"config", "index.version", version});
  repo.git({"config", "splitIndex.maxPercentChange", "100"});
  for (const char* path : {"a", "b/c", "d", "e"}) repo.write(path, path);
  repo.git({"add", "-A"});
  repo.git({"update-index", "--split-index"});
  repo.write("d", "replaced");
  repo.write("b/d", "added");
  repo.git({"add", "b/d", "d"});
  repo.git({"rm", "-q", "--cached", "a"});
}

TEST(SplitIndexFiles, AMissingSharedFileIsLeftToGit) {
  RepoBuilder repo;
  make_split(repo, "2");
  std::filesystem::remove(shared_file(repo));
  auto index = Index::load(index_path(repo), sha1());
  ASSERT_FALSE(index.ok());
  EXPECT_EQ(index.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(index.error().message.find("sharedindex."), std::string::npos);
}

TEST(SplitIndexFiles, TheSharedFileLiesInTheGitDirectory) {
  RepoBuilder repo;
  make_split(repo, "2");
  std::filesystem::rename(index_path(repo), repo.path("elsewhere"));
  EXPECT_FALSE(Index::load(repo.path("elsewhere"), sha1()).ok());
  Index::LoadOptions options = sha1();
  options.git_dir = repo.work() + "/.git";
  auto index = Index::load(repo.path("elsewhere"), options);
  ASSERT_TRUE(index.ok()) << index.error().message;
  EXPECT_EQ((*index)->entries().size(), 4u);
  EXPECT_EQ((*index)->shared_path(), shared_file(repo));
}

TEST(SplitIndexFiles, ASharedFileOfAnotherName) {
  RepoBuilder repo;
  make_split(repo, "2");
  const std::string shared = shared_file(repo);
  std::string bytes = read_whole_file(shared);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  write_whole_file(shared, bytes);
  auto index = Index::load(index_path(repo), {HashAlgorithm::kSha1, false});
  ASSERT_FALSE(index.ok());
  EXPECT_EQ(index.error().code, ErrorCode::kCorrupt);
}

class SplitDamage : public ::testing::TestWithParam<const char*> {
 protected:
  using Damage = std::function<void(std::string& bytes, size_t i)>;

  static Result<std::shared_ptr<Index>> decode(const RepoBuilder& repo, const std::string& own) {
    // The heap block has exactly this size, so a sanitizer detects a read beyond it.
    const std::vector<uint8_t> copy(own.begin(), own.end());
    return decode_index(copy, index_path(repo), {HashAlgorithm::kSha1, false});
  }

  static void expect_error_or_index(const Result<std::shared_ptr<Index>>& index) {
    if (index.ok()) return expect_consistent(**index);
    EXPECT_NE(index.error().message.find("/.git/"), std::string::npos) << index.error().message;
  }

  void try_each(const Damage& damage) {
    const std::string own = read_whole_file(index_path(repo_));
    for (size_t i = 0; i < own.size(); ++i) {
      std::string bytes = own;
      damage(bytes, i);
      expect_error_or_index(decode(repo_, bytes));
    }
    const std::string shared = read_whole_file(shared_file(repo_));
    for (size_t i = 0; i < shared.size(); ++i) {
      std::string bytes = shared;
      damage(bytes, i);
      write_whole_file(shared_file(repo_), bytes);
      expect_error_or_index(decode(repo_, own));
    }
  }

  RepoBuilder repo_;
};

TEST_P(SplitDamage, EveryTruncation) {
  make_split(repo_, GetParam());
  try_each([](std::string& bytes, size_t i) { bytes.resize(i); });
}

TEST_P(SplitDamage, EveryByteAtItsExtremes) {
  make_split(repo_, GetParam());
  for (char value : {'\0', '\xff'}) {
    try_each([value](std::string& bytes, size_t i) { bytes[i] = value; });
  }
}

INSTANTIATE_TEST_SUITE_P(Index, SplitDamage, ::testing::Values("2", "4"));

// An EWAH bitmap of one word.
std::string bitmap(uint8_t bits) {
  return be32(8) + be32(2) + std::string("\0\0\0\2\0\0\0\0", 8) + std::string(7, '\0') +
         static_cast<char>(bits) + be32(0);
}

std::string disk_entry(std::string_view path, int stage = 0) {
  std::string bytes = std::string(24, '\1') + be32(0100644) + std::string(32, '\2');
  bytes += static_cast<char>(stage << 4);
  bytes += static_cast<char>(path.size());
  bytes += path;
  do bytes += '\0';
  while (bytes.size() % 8 != 0);
  return bytes;
}

std::string index_bytes(std::initializer_list<std::string> entries, const std::string& extensions,
                        char checksum) {
  std::string bytes = "DIRC" + be32(2) + be32(static_cast<uint32_t>(entries.size()));
  for (const std::string& entry : entries) bytes += entry;
  return bytes + extensions + std::string(20, checksum);
}

// The shared index has "a", "b" and "c" (stage 2). Returns paths and stages after these changes;
// empty if the index is refused.
std::string merged(const std::string& link, std::initializer_list<std::string> own) {
  RepoBuilder repo;
  repo.enter("files");
  repo.write("sharedindex." + std::string(40, '3'),
             index_bytes({disk_entry("a"), disk_entry("b"), disk_entry("c", 2)}, "", '\x33'));
  const std::string content = std::string(20, '\x33') + link;
  repo.write(
      "index",
      index_bytes(own, "link" + be32(static_cast<uint32_t>(content.size())) + content, '\x44'));
  auto index = Index::load(repo.path("files/index"), {HashAlgorithm::kSha1, false});
  if (!index.ok()) {
    EXPECT_EQ(index.error().code, ErrorCode::kCorrupt);
    return {};
  }
  std::string paths;
  for (const IndexEntry& entry : (*index)->entries()) {
    paths += (*index)->path(entry) + std::to_string(entry.stage()) + " ";
  }
  return paths;
}

TEST(HostileSplitIndex, Links) {
  const std::string none = bitmap(0);
  EXPECT_EQ(merged(none + none, {}), "a0 b0 c2 ");
  EXPECT_EQ(merged(bitmap(2) + none, {}), "a0 c2 ");
  EXPECT_EQ(merged(none + bitmap(4), {disk_entry("", 1)}), "a0 b0 c1 ");
  // A replaced and deleted entry.
  EXPECT_EQ(merged(bitmap(1) + bitmap(1), {disk_entry("")}), "b0 c2 ");
  // A bit without an entry, a replacement without a bit, a bit without a replacement.
  EXPECT_EQ(merged(bitmap(8) + none, {}), "");
  EXPECT_EQ(merged(none + bitmap(8), {disk_entry("")}), "");
  EXPECT_EQ(merged(none + none, {disk_entry("")}), "");
  EXPECT_EQ(merged(none + bitmap(1), {}), "");
  EXPECT_EQ(merged(none + bitmap(1), {disk_entry("a")}), "");
  // Too few bitmaps, and extra bytes behind two bitmaps.
  EXPECT_EQ(merged(none, {}), "");
  EXPECT_EQ(merged("", {}), "");
  EXPECT_EQ(merged(none + none + "x", {}), "");
}

TEST(HostileSplitIndex, AddedEntries) {
  const std::string none = bitmap(0) + bitmap(0);
  EXPECT_EQ(merged(none, {disk_entry("0"), disk_entry("bb"), disk_entry("z")}),
            "00 a0 b0 bb0 c2 z0 ");
  // An own entry replaces the shared entry of its stage. An own entry of stage 0 replaces every
  // stage.
  EXPECT_EQ(merged(none, {disk_entry("a")}), "a0 b0 c2 ");
  EXPECT_EQ(merged(none, {disk_entry("c")}), "a0 b0 c0 ");
  EXPECT_EQ(merged(none, {disk_entry("c", 1), disk_entry("c", 3)}), "a0 b0 c1 c2 c3 ");
  // Unsorted or invalid entries.
  EXPECT_EQ(merged(none, {disk_entry("z"), disk_entry("y")}), "");
  EXPECT_EQ(merged(none, {disk_entry("a", 1)}), "");
  EXPECT_EQ(merged(none, {disk_entry("../z")}), "");
}

}  // namespace
}  // namespace resident
