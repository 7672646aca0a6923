// Damaged and hostile index files: the result is an error with the file's name, or a valid index,
// never a crash.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>

#include "hash/hasher.h"
#include "index/index.h"
#include "index/index_builder.h"
#include "index/index_test_support.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::be32;
using testing::RepoBuilder;

constexpr Index::LoadOptions kUnverified{HashAlgorithm::kSha1, false};
constexpr Index::LoadOptions kVerified{HashAlgorithm::kSha1, true};

// Uses all data of an index, so that a sanitizer detects any invalid reference.
size_t touch(const Index& index) {
  size_t sum = 0;
  for (uint32_t d = 0; d < index.directories().size(); ++d) {
    EXPECT_EQ(index.find_directory(index.directory_path(d)), d);
    sum += index.directory_name(d).size() + index.subtree_entries(d).second;
    if (auto tree = index.sparse_tree(d)) sum += tree->hex().size();
    for (const IndexEntry& entry : index.entries_of(d)) {
      sum += index.id(entry).hex().size() + index.path(entry).size() + entry.mode;
      EXPECT_TRUE(index.find_path(index.path(entry)));
    }
  }
  if (const CacheTree* tree = index.cache_tree()) {
    for (const CacheTree::Node& node : tree->nodes()) {
      if (node.valid()) sum += tree->id(node).hex().size();
    }
  }
  return sum;
}

void decode_exact_copy(std::string_view bytes, Index::LoadOptions options) {
  // The heap block has exactly this size, so a sanitizer detects a read beyond it.
  std::vector<uint8_t> copy(bytes.begin(), bytes.end());
  auto index = decode_index(copy, "/r/.git/index", options);
  if (index.ok()) {
    touch(**index);
  } else {
    EXPECT_EQ(index.error().message.find("/r/.git/index: "), 0u) << index.error().message;
  }
}

std::string real_index(const char* version) {
  RepoBuilder repo;
  repo.init();
  for (const char* path : {"a", "b/deep/er", "b/x", "c"}) repo.write(path, path);
  repo.git({"add", "-A"});
  repo.git({"commit", "-qm", "1"});
  repo.git({"update-index", "--skip-worktree", "b/x"});
  std::string blob = repo.git_line({"rev-parse", ":a"});
  repo.git({"update-index", "--index-info"},
           "100644 " + blob + " 2\tbc\n100644 " + blob + " 3\tbc\n");
  repo.git({"update-index", "--index-version", version});
  return testing::read_whole_file(repo.work() + "/.git/index");
}

class Damage : public ::testing::TestWithParam<const char*> {};

TEST_P(Damage, EveryTruncation) {
  std::string bytes = real_index(GetParam());
  ASSERT_TRUE(decode_index(as_bytes(bytes), "index", kVerified).ok());
  for (size_t length = 0; length < bytes.size(); ++length) {
    std::string cut = bytes.substr(0, length);
    EXPECT_FALSE(decode_index(as_bytes(cut), "index", kVerified).ok()) << length;
    decode_exact_copy(cut, kUnverified);
  }
}

TEST_P(Damage, EveryBitFlip) {
  std::string bytes = real_index(GetParam());
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      bytes[i] = static_cast<char>(bytes[i] ^ (1 << bit));
      if (bit == static_cast<int>(i % 8)) {
        EXPECT_FALSE(decode_index(as_bytes(bytes), "index", kVerified).ok()) << i;
      }
      decode_exact_copy(bytes, kUnverified);
      bytes[i] = static_cast<char>(bytes[i] ^ (1 << bit));
    }
  }
}

TEST_P(Damage, EveryByteAtItsExtremes) {
  std::string bytes = real_index(GetParam());
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (char value : {'\0', '\xff', '\x7f', '/', '.'}) {
      char original = std::exchange(bytes[i], value);
      decode_exact_copy(bytes, kUnverified);
      bytes[i] = original;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Index, Damage, ::testing::Values("2", "4"));

std::string header(uint32_t version, uint32_t count) {
  return "DIRC" + be32(version) + be32(count);
}

std::string entry(std::string_view path, uint16_t stage = 0, uint32_t mode = 0100644) {
  std::string bytes(24, '\1');
  bytes += be32(mode) + std::string(12, '\2') + std::string(20, '\3');
  uint16_t flags = static_cast<uint16_t>(stage << 12 | std::min<size_t>(path.size(), 0xfff));
  bytes += static_cast<char>(flags >> 8);
  bytes += static_cast<char>(flags);
  bytes += path;
  do bytes += '\0';
  while (bytes.size() % 8 != 0);
  return bytes;
}

Result<std::shared_ptr<Index>> decode(std::string bytes) {
  bytes += std::string(20, '\0');
  return decode_index(as_bytes(bytes), "index", kVerified);
}

Result<std::shared_ptr<Index>> decode_paths(std::initializer_list<std::string_view> paths) {
  std::string bytes = header(2, static_cast<uint32_t>(paths.size()));
  for (std::string_view path : paths) bytes += entry(path);
  return decode(bytes);
}

ErrorCode code_of(const Result<std::shared_ptr<Index>>& result) {
  EXPECT_FALSE(result.ok());
  return result.ok() ? ErrorCode::kInvalid : result.error().code;
}

TEST(HostileIndex, Headers) {
  EXPECT_TRUE(decode(header(2, 0)).ok());
  for (uint32_t version : {0u, 1u, 5u, 0xffffffffu}) {
    EXPECT_EQ(code_of(decode(header(version, 0))), ErrorCode::kUnsupported);
  }
  for (uint32_t count : {1u, 2u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    EXPECT_EQ(code_of(decode(header(2, count))), ErrorCode::kCorrupt);
  }
  EXPECT_EQ(code_of(decode(header(2, 2) + entry("a"))), ErrorCode::kCorrupt);
  EXPECT_EQ(code_of(decode("CRID" + be32(2) + be32(0))), ErrorCode::kCorrupt);
  EXPECT_EQ(code_of(decode_index({}, "index", kVerified)), ErrorCode::kCorrupt);
}

TEST(HostileIndex, Paths) {
  EXPECT_TRUE(decode_paths({"a", "b/c"}).ok());
  EXPECT_EQ(code_of(decode_paths({""})), ErrorCode::kUnsupported);
  for (const char* path : {"/a", "a/", "a//b", ".", "..", "a/./b", "a/../b", "../a", ".git",
                           ".git/config", "a/.git", "a/.GIT/x", "a/.gIt", "./a", "a/.."}) {
    EXPECT_EQ(code_of(decode_paths({path})), ErrorCode::kCorrupt) << path;
  }
  for (const char* path : {"...", ".gitignore", ".gi", "git", "a/.g", "..a", "a/.github/x"}) {
    EXPECT_TRUE(decode_paths({path}).ok()) << path;
  }
}

TEST(HostileIndex, Order) {
  EXPECT_EQ(code_of(decode_paths({"b", "a"})), ErrorCode::kCorrupt);
  EXPECT_EQ(code_of(decode_paths({"a", "a"})), ErrorCode::kCorrupt);
  EXPECT_EQ(code_of(decode_paths({"ab", "a"})), ErrorCode::kCorrupt);
  EXPECT_EQ(code_of(decode_paths({"a/b", "a.b"})), ErrorCode::kCorrupt);
  EXPECT_EQ(code_of(decode_paths({"\xff", "a"})), ErrorCode::kCorrupt);
  EXPECT_TRUE(decode_paths({"a", "\xff"}).ok());
  EXPECT_EQ(code_of(decode(header(2, 2) + entry("a", 2) + entry("a", 1))), ErrorCode::kCorrupt);
  EXPECT_EQ(code_of(decode(header(2, 2) + entry("a", 2) + entry("a", 2))), ErrorCode::kCorrupt);
  EXPECT_EQ(code_of(decode(header(2, 2) + entry("a", 0) + entry("a", 2))), ErrorCode::kCorrupt);
  EXPECT_TRUE(decode(header(2, 2) + entry("a", 1) + entry("a", 3)).ok());
  // A name that is both file and directory at the same stage. It is wrong, but git reads it, so
  // this code reads it too.
  EXPECT_TRUE(decode_paths({"a", "a/b"}).ok());
}

TEST(HostileIndex, ModesAndFlags) {
  for (uint32_t mode : {0u, 0644u, 0200000u, 0170000u, 0xffffffffu, 0100644u | 1u << 31}) {
    EXPECT_EQ(code_of(decode(header(2, 1) + entry("a", 0, mode))), ErrorCode::kCorrupt) << mode;
  }
  for (uint32_t mode : {0100645u, 0100664u, 0100000u, 0120001u, 0160755u}) {
    EXPECT_EQ(code_of(decode(header(2, 1) + entry("a", 0, mode))), ErrorCode::kUnsupported) << mode;
  }
  EXPECT_EQ(code_of(decode(header(2, 1) + entry("a", 0, 0040000))), ErrorCode::kUnsupported);
  // The recorded length is shorter or longer than the path.
  for (char length : {'\0', '\1', '\3', '\7'}) {
    std::string bytes = entry("ab");
    bytes[61] = length;
    EXPECT_EQ(code_of(decode(header(2, 1) + bytes)), ErrorCode::kCorrupt) << int(length);
  }
  std::string extended = entry("ab");
  extended[60] = '\x40';
  EXPECT_EQ(code_of(decode(header(2, 1) + extended)), ErrorCode::kCorrupt);
}

// A version 3 entry with extended flags.
std::string sparse_entry(std::string_view path, uint16_t stage = 0, char extended = '\x40') {
  std::string bytes = entry(path, stage, 0040000).substr(0, 62);
  bytes[60] = static_cast<char>(bytes[60] | 0x40);
  bytes += {extended, '\0'};
  bytes += path;
  do bytes += '\0';
  while (bytes.size() % 8 != 0);
  return bytes;
}

TEST(HostileIndex, SparseDirectories) {
  auto good = decode(header(3, 3) + sparse_entry("a/b/") + sparse_entry("a/c/") + entry("d"));
  ASSERT_TRUE(good.ok()) << good.error().message;
  EXPECT_EQ((*good)->sparse_directories().size(), 2u);
  touch(**good);
  EXPECT_EQ(code_of(decode(header(3, 1) + sparse_entry("a"))), ErrorCode::kCorrupt);
  EXPECT_EQ(code_of(decode(header(3, 1) + sparse_entry("/"))), ErrorCode::kCorrupt);
  EXPECT_EQ(code_of(decode(header(3, 1) + sparse_entry("a//"))), ErrorCode::kCorrupt);
  EXPECT_EQ(code_of(decode(header(3, 1) + sparse_entry(".git/"))), ErrorCode::kCorrupt);
  EXPECT_EQ(code_of(decode(header(3, 2) + sparse_entry("a/") + sparse_entry("a/"))),
            ErrorCode::kCorrupt);
  EXPECT_EQ(code_of(decode(header(3, 2) + entry("a/b") + sparse_entry("a/"))), ErrorCode::kCorrupt);
  // git can be told to write this, and reads it.
  EXPECT_EQ(code_of(decode(header(3, 2) + sparse_entry("a/") + entry("a/b"))),
            ErrorCode::kUnsupported);
  // A sparse directory must have stage 0 and skip-worktree.
  EXPECT_EQ(code_of(decode(header(3, 1) + sparse_entry("a/", 1))), ErrorCode::kUnsupported);
  EXPECT_EQ(code_of(decode(header(3, 1) + sparse_entry("a/", 0, '\0'))), ErrorCode::kUnsupported);
  EXPECT_EQ(code_of(decode(header(2, 1) + entry("a/"))), ErrorCode::kCorrupt);
}

TEST(HostileIndex, Extensions) {
  EXPECT_TRUE(decode(header(2, 0) + "UNTR" + be32(3) + "xyz").ok());
  // Extensions that git reports as ignored, and extensions that git warns about.
  EXPECT_EQ(code_of(decode(header(2, 0) + "REUC" + be32(3) + "xyz")), ErrorCode::kUnsupported);
  EXPECT_EQ(code_of(decode(header(2, 0) + "ABCD" + be32(3) + "xyz")), ErrorCode::kUnsupported);
  EXPECT_EQ(code_of(decode(header(2, 0) + "FSMN" + be32(5) + be32(3) + "x")),
            ErrorCode::kUnsupported);
  EXPECT_EQ(code_of(decode(header(2, 0) + "IEOT" + be32(0))), ErrorCode::kUnsupported);
  EXPECT_EQ(code_of(decode(header(2, 0) + "FSMN" + be32(5) + be32(2) + "x")),
            ErrorCode::kUnsupported);
  EXPECT_EQ(code_of(decode(header(2, 0) + "ABCD" + be32(4) + "xyz")), ErrorCode::kCorrupt);
  EXPECT_EQ(code_of(decode(header(2, 0) + "ABCD" + be32(0xffffffff))), ErrorCode::kCorrupt);
  EXPECT_EQ(code_of(decode(header(2, 0) + "ABC")), ErrorCode::kCorrupt);
  auto unknown = decode(header(2, 0) + "abcd" + be32(0));
  EXPECT_EQ(code_of(unknown), ErrorCode::kUnsupported);
  EXPECT_NE(unknown.error().message.find("'abcd'"), std::string::npos);
}

const CacheTree* tree_of(const Result<std::shared_ptr<Index>>& index) {
  EXPECT_TRUE(index.ok());
  return index.ok() ? (*index)->cache_tree() : nullptr;
}

TEST(HostileIndex, CacheTrees) {
  const std::string id(20, 'i');
  auto with_tree = [&](const std::string& tree) {
    return decode(header(2, 2) + entry("a") + entry("d/b") + "TREE" +
                  be32(static_cast<uint32_t>(tree.size())) + tree);
  };
  const std::string nul(1, '\0');
  auto good = with_tree(nul + "2 1\n" + id + "d" + nul + "1 0\n" + id);
  ASSERT_TRUE(tree_of(good));
  EXPECT_EQ(tree_of(good)->nodes().size(), 2u);
  EXPECT_EQ(tree_of(good)->nodes()[1].directory, 1u);
  EXPECT_TRUE(tree_of(good)->nodes()[1].valid());

  // Counts that contradict the entries, and a directory that does not exist.
  const std::string root = nul + "2 1\n" + id;
  for (const std::string& wrong :
       {nul + "1 0\n" + id, root + "d" + nul + "9 0\n" + id, root + "e" + nul + "1 0\n" + id}) {
    auto index = with_tree(wrong);
    ASSERT_EQ(code_of(index), ErrorCode::kUnsupported) << wrong;
    EXPECT_NE(index.error().message.find("'TREE'"), std::string::npos);
  }
  auto empty = with_tree(root + "e" + nul + "0 0\n" + id);
  ASSERT_TRUE(tree_of(empty));
  EXPECT_EQ(tree_of(empty)->nodes()[1].directory, kNoDirectory);

  for (const std::string& tree :
       {std::string("x"), nul, nul + "2", nul + "2 1", nul + "2 1\n", nul + "2 1\n" + id,
        nul + "2 -1\n" + id, nul + "x 0\n" + id, nul + "2 0\nshort", "a" + nul + "2 0\n" + id,
        nul + "2 99999999999\n" + id, nul + "2 2147483647\n" + id, nul + " 0\n",
        nul + "2 1\n" + id + nul}) {
    EXPECT_EQ(tree_of(with_tree(tree)), nullptr) << tree;
  }
  // A directory is found only once. Otherwise a hostile file could make its children be sorted many
  // times.
  auto twice = with_tree(nul + "-1 2\n" + "d" + nul + "1 0\n" + id + "d" + nul + "-1 0\n");
  ASSERT_TRUE(tree_of(twice));
  EXPECT_EQ(tree_of(twice)->nodes()[1].directory, 1u);
  EXPECT_EQ(tree_of(twice)->nodes()[2].directory, kNoDirectory);

  // Deeper than any call stack.
  std::string deep = nul + "-1 1\n";
  for (int i = 0; i < 200000; ++i) deep += "d" + nul + "-1 1\n";
  EXPECT_EQ(tree_of(with_tree(deep)), nullptr);
  deep += "d" + nul + "-1 0\n";
  EXPECT_TRUE(tree_of(with_tree(deep)));
}

// git sorts subtrees by the length of their names. Other programs use other orders or leave
// subtrees out.
TEST(HostileIndex, CacheTreesInAnyOrder) {
  const std::string nul(1, '\0');
  std::vector<std::string> names = {"a", "bb", "c", "cc", "ccc", "dd"};
  std::string entries;
  for (const std::string& name : names) entries += entry(name + "/x") + entry(name + "/y/z");
  const auto expect_found = [&](std::span<const std::string> order) {
    std::string tree = nul + "-1 " + std::to_string(order.size()) + "\n";
    for (const std::string& name : order) {
      tree += name + nul + "-1 2\n" + "x" + nul + "-1 0\n" + "y" + nul + "-1 0\n";
    }
    const auto index =
        decode(header(2, 12) + entries + "TREE" + be32(static_cast<uint32_t>(tree.size())) + tree);
    ASSERT_TRUE(tree_of(index));
    const auto nodes = tree_of(index)->nodes();
    ASSERT_EQ(nodes.size(), 1 + 3 * order.size());
    for (size_t i = 0; i < order.size(); ++i) {
      EXPECT_EQ((*index)->directory_path(nodes[1 + 3 * i].directory), order[i]);
      EXPECT_EQ(nodes[2 + 3 * i].directory, kNoDirectory) << "a file";
      EXPECT_EQ((*index)->directory_path(nodes[3 + 3 * i].directory), order[i] + "/y");
    }
  };
  do {
    expect_found(names);
    expect_found(std::span(names).first(2));
  } while (std::next_permutation(names.begin(), names.end()));
}

// All entries as text, or the error. Without `siblings`, the fast path for siblings is not used.
std::string told(const std::string& bytes, bool siblings) {
  const auto say = [](const Result<std::shared_ptr<Index>>& index) {
    if (!index.ok()) return index.error().message;
    std::string all = (*index)->may_intend_to_add() ? "intends to add\n" : "";
    for (uint32_t i = 0; i < (*index)->entries().size(); ++i) {
      const IndexEntry& entry = (*index)->entries()[i];
      all += (*index)->path(i) + " " + std::to_string(entry.mode) + " " +
             std::to_string(entry.flags) + " " + (*index)->id(i).hex() + "\n";
    }
    return all;
  };
  const std::string trailed = bytes + std::string(20, '\0');
  if (siblings) return say(decode_index(as_bytes(trailed), "index", kVerified));
  Result<IndexFile> file = IndexFile::open(as_bytes(trailed), "index", HashAlgorithm::kSha1, true);
  if (!file.ok()) return file.error().message;
  IndexBuilder builder(HashAlgorithm::kSha1);
  builder.start(*file, file->entry_count(), file->path_bytes());
  DiskEntry entry;
  for (uint32_t i = 0; i < file->entry_count(); ++i) {
    if (Result<void> read = file->next(entry); !read.ok()) return read.error().message;
    if (Result<void> added = builder.add(entry, entry.keep, entry.suffix); !added.ok()) {
      return file->fail(added.error(), entry).message;
    }
  }
  Result<IndexFile::Extensions> extensions = file->extensions();
  if (!extensions.ok()) return extensions.error().message;
  return say(builder.finish(*file, *extensions, {}));
}

// The fast path for siblings must accept and refuse the same entries as the general path.
TEST(HostileIndex, SiblingsAreReadAsAllOthersAre) {
  std::mt19937 random(1);  // NOLINT: the same each time
  const auto below = [&](uint32_t limit) { return random() % limit; };
  const auto name = [&] {
    constexpr std::string_view kBytes("ab.-/\0\xff", 7);
    std::string text = below(4) == 0 ? "dir/" : "";
    const uint32_t length = 1 + below(below(8) == 0 ? 40 : 4);
    for (uint32_t i = 0; i < length; ++i) text += kBytes[below(below(6) == 0 ? 7 : 3)];
    return text;
  };
  size_t good = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::vector<std::string> paths(2 + below(5));
    const std::string directory = below(2) == 0 ? "some/directory/" : "";
    for (std::string& path : paths) path = directory + name();
    if (below(8) != 0) std::sort(paths.begin(), paths.end());
    const bool has_conflict = below(4) == 0;
    if (has_conflict) paths.back() = paths[paths.size() - 2];
    const uint32_t version = 2 + below(2);
    std::string bytes = header(version, static_cast<uint32_t>(paths.size()));
    for (const std::string& path : paths) {
      const uint16_t stage = static_cast<uint16_t>(has_conflict || below(8) == 0 ? below(4) : 0);
      const bool is_extended = below(8) == 0;
      std::string one = is_extended ? sparse_entry(path, stage, "\x40\x20\x10\0"[below(4)])
                                    : entry(path, stage, below(8) == 0 ? 0120000 : 0100644);
      if (is_extended && below(4) != 0) one.replace(24, 4, be32(0100755));
      if (below(8) == 0) one[below(2) == 0 ? 26 : 27] = static_cast<char>(below(256));
      if (below(16) == 0) one[one.size() - 1] = 'x';
      if (below(16) == 0) one[61] = static_cast<char>(1 + below(20));
      bytes += one;
    }
    if (below(16) == 0) bytes.resize(bytes.size() - below(40));
    const std::string shorter = told(bytes, true);
    EXPECT_EQ(shorter, told(bytes, false)) << round;
    good += !shorter.starts_with("index: ");
  }
  EXPECT_GT(good, 1000u) << "too few of them are valid";
}

// Each entry appends to the previous path, so a small file could need unlimited memory.
TEST(HostileIndex, PathsThatGrow) {
  for (const char* suffix : {"a", "/a", "a/a"}) {
    std::string bytes = header(4, 100000);
    std::string one = entry("").substr(0, 60) + "\x0f\xff" + std::string(1, '\0') + suffix + '\0';
    for (int i = 0; i < 100000; ++i) bytes += one;
    EXPECT_FALSE(decode(bytes).ok()) << suffix;
  }
}

}  // namespace
}  // namespace resident
