// Reads indexes that real git wrote and compares with what git says is in them.
#include "index/index.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <tuple>

#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;

using PathAndStage = std::pair<std::string, int>;

Index::LoadOptions sha1() {
  return {HashAlgorithm::kSha1, true};
}

std::string index_path(const RepoBuilder& repo) {
  return repo.work() + "/.git/index";
}

std::shared_ptr<const Index> load(const RepoBuilder& repo, Index::LoadOptions options = sha1()) {
  auto index = Index::load(index_path(repo), options);
  EXPECT_TRUE(index.ok()) << (index.ok() ? "" : index.error().message);
  return index.ok() ? *index : nullptr;
}

// One entry in the words of `git ls-files --stage --debug -z`.
std::string describe(const IndexStat& s, uint32_t mode, const ObjectId& id, unsigned git_flags) {
  char text[400];
  std::snprintf(text, sizeof text,
                "%06o %s  ctime: %u:%u\n  mtime: %u:%u\n  dev: %u\tino: %u\n  uid: %u\tgid: %u\n"
                "  size: %u\tflags: %x\n",
                mode, id.hex().c_str(), s.ctime_seconds, s.ctime_nanoseconds, s.mtime_seconds,
                s.mtime_nanoseconds, s.device, s.inode, s.uid, s.gid, s.size, git_flags);
  return text;
}

std::map<PathAndStage, std::string> told_by_git(RepoBuilder& repo) {
  std::map<PathAndStage, std::string> result;
  std::string out = repo.git({"ls-files", "--stage", "--debug", "-z"});
  for (size_t at = 0; at < out.size();) {
    size_t tab = out.find('\t', at);
    size_t nul = out.find('\0', tab);
    size_t end = nul;
    for (int line = 0; line < 5; ++line) end = out.find('\n', end + 1);
    std::string head = out.substr(at, tab - at);  // "<mode> <id> <stage>"
    result[{out.substr(tab + 1, nul - tab - 1), head.back() - '0'}] =
        head.substr(0, head.size() - 2) + out.substr(nul + 1, end - nul);
    at = end + 1;
  }
  return result;
}

std::map<PathAndStage, std::string> told_by_us(const Index& index) {
  std::map<PathAndStage, std::string> result;
  for (const IndexEntry& entry : index.entries()) {
    unsigned flags = static_cast<unsigned>(entry.stage()) << 12;
    if (entry.assume_valid()) flags |= 0x8000;
    if (entry.skip_worktree()) flags |= 1u << 30 | 0x4000;
    if (entry.intent_to_add()) flags |= 1u << 29 | 0x4000;
    result[{index.path(entry), entry.stage()}] =
        describe(entry.stat, entry.mode, index.id(entry), flags);
  }
  return result;
}

// Every promise of index.h about order and look-up.
void expect_consistent(const Index& index) {
  auto directories = index.directories();
  ASSERT_FALSE(directories.empty());
  EXPECT_EQ(directories[0].parent, kNoDirectory);
  EXPECT_EQ(directories[0].subtree_end, directories.size());
  uint32_t next_entry = 0;
  std::string previous_sibling;
  for (uint32_t d = 0; d < directories.size(); ++d) {
    EXPECT_EQ(directories[d].first_entry, next_entry);
    next_entry += directories[d].entry_count;
    EXPECT_GT(directories[d].subtree_end, d);
    EXPECT_EQ(index.find_directory(index.directory_path(d)), d);
    if (d > 0) {
      EXPECT_LT(directories[d].parent, d);
      EXPECT_LE(directories[d].subtree_end, directories[directories[d].parent].subtree_end);
    }
    const IndexEntry* previous = nullptr;
    for (const IndexEntry& entry : index.entries_of(d)) {
      if (previous) {
        EXPECT_LT(std::tuple(index.name(*previous), previous->stage()),
                  std::tuple(index.name(entry), entry.stage()));
      }
      previous = &entry;
      EXPECT_EQ(index.directory_of(index.position(entry)), d);
      auto found = index.find_path(index.path(entry));
      ASSERT_TRUE(found);
      EXPECT_EQ(index.name(index.entries()[*found]), index.name(entry));
      EXPECT_LE(index.entries()[*found].stage(), entry.stage());
    }
  }
  EXPECT_EQ(next_entry, index.entries().size());
}

void expect_equals_git(RepoBuilder& repo, Index::LoadOptions options = sha1()) {
  auto index = load(repo, options);
  ASSERT_TRUE(index);
  EXPECT_EQ(told_by_us(*index), told_by_git(repo));
  expect_consistent(*index);
}

// Files in several directories, among them names that sort around '/'.
void fill(RepoBuilder& repo) {
  for (const char* path :
       {"a", "a-b/x", "a.c", "a0", "b/deep/er/file", "b/deep/other", "b/x", "b-/y", "c/only/d/one",
        "Makefile", "with space", "new\nline", "caf\xe9", "b/deep.txt", ".gitignore", ".gitx/z"}) {
    repo.write(path, std::string("content of ") + path);
  }
  repo.write(std::string(200, 'n') + "/" + std::string(255, 'm'), "long");
  repo.git({"add", "-A"});
}

class EveryVersion : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(EveryVersion, EqualsGit) {
  auto [version, format] = GetParam();
  RepoBuilder repo;
  repo.init({std::string("--object-format=") + format});
  Index::LoadOptions options{
      std::string(format) == "sha1" ? HashAlgorithm::kSha1 : HashAlgorithm::kSha256, true};
  repo.git({"config", "index.version", version});
  fill(repo);
  repo.git({"update-index", "--force-write-index", "--index-version", version});
  expect_equals_git(repo, options);
  repo.git({"commit", "-qm", "1"});
  repo.git({"update-index", "--assume-unchanged", "a.c"});
  repo.git({"update-index", "--skip-worktree", "b/x", "Makefile"});
  repo.write("b/later", "intent");
  repo.git({"add", "-N", "b/later"});
  repo.git({"update-index", "--index-version", version});
  expect_equals_git(repo, options);
  // Flags that need the extended field make a version 2 index a version 3 one.
  auto index = load(repo, options);
  EXPECT_EQ(index->version(), version[0] == '4' ? 4u : 3u);
  EXPECT_EQ(index->checksum().algorithm(), options.algorithm);
  EXPECT_EQ(index->stat().kind, FileKind::kRegular);
  EXPECT_GT(index->mtime().seconds, 0);
}

INSTANTIATE_TEST_SUITE_P(Index, EveryVersion,
                         ::testing::Combine(::testing::Values("2", "3", "4"),
                                            ::testing::Values("sha1", "sha256")));

TEST(Index, MissingFileIsEmpty) {
  RepoBuilder repo;
  repo.init();
  auto index = load(repo);
  ASSERT_TRUE(index);
  EXPECT_EQ(index->entries().size(), 0u);
  EXPECT_EQ(index->directories().size(), 1u);
  EXPECT_EQ(index->stat().kind, FileKind::kUnknown);
  EXPECT_EQ(index->cache_tree(), nullptr);
  EXPECT_FALSE(index->find_path("a"));
  EXPECT_FALSE(index->find_directory("a"));
  expect_consistent(*index);
}

TEST(Index, IndexWithoutEntries) {
  RepoBuilder repo;
  repo.init();
  repo.git({"read-tree", "--empty"});
  expect_equals_git(repo);
}

TEST(Index, EveryKindOfEntry) {
  RepoBuilder repo;
  repo.init();
  std::string blob = repo.git_line({"hash-object", "-w", "--stdin"}, "x");
  repo.git({"update-index", "--add", "--index-info"},
           "100755 " + blob + "\trun\n120000 " + blob + "\tlink\n160000 " + blob +
               "\tsub/module\n100644 " + blob + "\tplain\n");
  expect_equals_git(repo);
}

TEST(Index, ConflictsAndFileDirectoryClash) {
  RepoBuilder repo;
  repo.init();
  std::string blob = repo.git_line({"hash-object", "-w", "--stdin"}, "x");
  std::string info;
  for (const char* entry : {"1\tboth", "2\tboth", "3\tboth", "2\tclash", "3\tclash/inner",
                            "1\tclash/gone", "0\tz", "3\tclash0"}) {
    info += "100644 " + blob + " " + entry + "\n";
  }
  repo.git({"update-index", "--index-info"}, info);
  expect_equals_git(repo);
  auto index = load(repo);
  ASSERT_TRUE(index->find_path("clash"));
  ASSERT_TRUE(index->find_directory("clash"));
  EXPECT_EQ(index->entries_of(*index->find_directory("clash")).size(), 2u);
  EXPECT_EQ(index->entries()[*index->find_path("both")].stage(), 1);
}

TEST(Index, NamesOfFourKilobytesAreKept) {
  RepoBuilder repo;
  repo.init();
  std::string blob = repo.git_line({"hash-object", "-w", "--stdin"}, "x");
  std::string info;
  for (size_t length : {4093, 4094, 4095}) {
    info += "100644 " + blob + "\tdir/" + std::string(length, 'n') + "\n";
    info += "100644 " + blob + "\t" + std::string(length, 'n') + "\n";
  }
  for (const char* version : {"2", "4"}) {
    repo.git({"config", "index.version", version});
    repo.git({"update-index", "--add", "--index-info"}, info);
    repo.git({"update-index", "--index-version", version});
    expect_equals_git(repo);
  }
  repo.git({"update-index", "--add", "--index-info"},
           "100644 " + blob + "\t" + std::string(4096, 'n') + "\n");
  auto index = Index::load(index_path(repo), sha1());
  ASSERT_FALSE(index.ok());
  EXPECT_EQ(index.error().code, ErrorCode::kUnsupported);
}

TEST(Index, OptionalExtensionsAreSkipped) {
  RepoBuilder repo;
  repo.init();
  repo.git({"config", "index.threads", "2"});
  repo.git({"config", "core.untrackedCache", "true"});
  fill(repo);
  repo.git({"commit", "-qm", "1"});
  repo.git({"status"});
  repo.git({"update-index", "--untracked-cache"});
  std::string bytes = testing::read_whole_file(index_path(repo));
  EXPECT_NE(bytes.find("UNTR"), std::string::npos);
  EXPECT_NE(bytes.find("EOIE"), std::string::npos);
  EXPECT_NE(bytes.find("TREE"), std::string::npos);
  expect_equals_git(repo);
}

// Enough entries for git to write its offset table, whose blocks restart the prefix compression.
TEST(Index, BlocksOfAnOffsetTable) {
  RepoBuilder repo;
  repo.init();
  std::string blob = repo.git_line({"hash-object", "-w", "--stdin"}, "x");
  std::string info;
  for (int i = 0; i < 25000; ++i) {
    info +=
        "100644 " + blob + "\tdir" + std::to_string(i % 40) + "/file" + std::to_string(i) + "\n";
  }
  repo.git({"config", "index.threads", "4"});
  repo.git({"config", "index.version", "4"});
  repo.git({"update-index", "--add", "--index-info"}, info);
  EXPECT_NE(testing::read_whole_file(index_path(repo)).find("IEOT"), std::string::npos);
  auto index = load(repo);
  ASSERT_TRUE(index);
  EXPECT_EQ(index->version(), 4u);
  EXPECT_EQ(told_by_us(*index), told_by_git(repo));
}

TEST(Index, SplitAndSparseIndexesAreLeftToGit) {
  RepoBuilder repo;
  repo.init();
  fill(repo);
  repo.git({"commit", "-qm", "1"});
  repo.git({"sparse-checkout", "init", "--cone", "--sparse-index"});
  repo.git({"sparse-checkout", "set", "c"});
  auto sparse = Index::load(index_path(repo), sha1());
  ASSERT_FALSE(sparse.ok());
  EXPECT_EQ(sparse.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(sparse.error().message.find("sparse"), std::string::npos) << sparse.error().message;
  EXPECT_NE(sparse.error().message.find(index_path(repo)), std::string::npos);

  repo.git({"sparse-checkout", "disable"});
  repo.git({"update-index", "--split-index"});
  auto split = Index::load(index_path(repo), sha1());
  ASSERT_FALSE(split.ok());
  EXPECT_EQ(split.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(split.error().message.find("split"), std::string::npos) << split.error().message;
}

TEST(Index, ZeroChecksumIsAccepted) {
  RepoBuilder repo;
  repo.init();
  fill(repo);
  std::string bytes = testing::read_whole_file(index_path(repo));
  bytes.replace(bytes.size() - 20, 20, 20, '\0');
  auto index = Index::decode(as_bytes(bytes), "index", sha1());
  ASSERT_TRUE(index.ok());
  EXPECT_TRUE((*index)->checksum().is_null());
  bytes.back() = 1;
  EXPECT_FALSE(Index::decode(as_bytes(bytes), "index", sha1()).ok());
  EXPECT_TRUE(Index::decode(as_bytes(bytes), "index", {HashAlgorithm::kSha1, false}).ok());
}

// What a million entries cost: 48 bytes and the id each, the names, and nothing per entry besides.
TEST(Index, MemoryPerEntryIsBounded) {
  RepoBuilder repo;
  repo.init();
  std::string blob = repo.git_line({"hash-object", "-w", "--stdin"}, "x");
  std::string info;
  for (int i = 0; i < 10000; ++i) info += "100644 " + blob + "\td/e/f" + std::to_string(i) + "\n";
  repo.git({"update-index", "--add", "--index-info"}, info);
  auto index = load(repo);
  size_t names = 0;
  for (const IndexEntry& entry : index->entries()) names += entry.name_length;
  EXPECT_LE(index->memory_use(), 72 * index->entries().size() + names + 1000);
}

TEST(IndexCacheTree, MatchesDirectoriesAndGitsTrees) {
  RepoBuilder repo;
  repo.init();
  fill(repo);
  repo.git({"commit", "-qm", "1"});
  auto index = load(repo);
  const CacheTree* tree = index->cache_tree();
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->nodes().size(), index->directories().size());
  for (uint32_t d = 0; d < index->directories().size(); ++d) {
    uint32_t position = index->directories()[d].cache_tree;
    ASSERT_NE(position, CacheTree::kNoNode);
    const CacheTree::Node& node = tree->nodes()[position];
    EXPECT_EQ(node.directory, d);
    ASSERT_TRUE(node.valid());
    EXPECT_EQ(tree->id(node).hex(),
              repo.git_line({"rev-parse", "HEAD:" + index->directory_path(d)}));
  }
}

TEST(IndexCacheTree, ChangedDirectoriesAreInvalid) {
  RepoBuilder repo;
  repo.init();
  fill(repo);
  repo.git({"commit", "-qm", "1"});
  repo.write("b/deep/other", "changed");
  repo.git({"add", "b/deep/other"});
  auto index = load(repo);
  const CacheTree* tree = index->cache_tree();
  ASSERT_TRUE(tree);
  auto valid = [&](std::string_view path) {
    uint32_t position = index->directories()[*index->find_directory(path)].cache_tree;
    return position != CacheTree::kNoNode && tree->nodes()[position].valid();
  };
  EXPECT_FALSE(valid(""));
  EXPECT_FALSE(valid("b"));
  EXPECT_FALSE(valid("b/deep"));
  EXPECT_TRUE(valid("b/deep/er"));
  EXPECT_TRUE(valid("c"));
}

}  // namespace
}  // namespace resident
