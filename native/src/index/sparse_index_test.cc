// Sparse indexes written by git: unexpanded, expanded step by step, and damaged.
#include <gtest/gtest.h>

#include <sstream>
#include <tuple>

#include "index/index_test_support.h"
#include "index/sparse_expansion.h"

namespace resident {
namespace {

using namespace testing;

// Parses the output of `git ls-tree`.
std::vector<TreeItem> items_of(RepoBuilder& repo, const ObjectId& tree) {
  std::vector<TreeItem> items;
  const std::string out = repo.git({"ls-tree", "-z", tree.hex()});
  for (size_t at = 0; at < out.size();) {
    const size_t tab = out.find('\t', at);
    const size_t end = out.find('\0', tab);
    std::istringstream fields(out.substr(at, tab - at));
    std::string mode, type, id;
    fields >> mode >> type >> id;
    items.push_back({out.substr(tab + 1, end - tab - 1),
                     static_cast<uint16_t>(std::stoul(mode, nullptr, 8)), *ObjectId::from_hex(id)});
    at = end + 1;
  }
  return items;
}

std::shared_ptr<const Index> expand(RepoBuilder& repo, const Index& index,
                                    std::span<const uint32_t> directories) {
  std::map<uint32_t, std::vector<TreeItem>> contents;
  for (uint32_t d : directories) contents[d] = items_of(repo, *index.sparse_tree(d));
  auto expanded = expand_sparse_directories(index, contents);
  EXPECT_TRUE(expanded.ok()) << (expanded.ok() ? "" : expanded.error().message);
  return expanded.ok() ? *expanded : nullptr;
}

// "<mode> <id> <path>/" of each sparse directory, like `git ls-files --sparse --stage`.
std::string sparse_lines(const Index& index) {
  std::string lines;
  for (uint32_t d : index.sparse_directories()) {
    EXPECT_EQ(index.entries_of(d).size(), 0u);
    EXPECT_EQ(index.directories()[d].subtree_end, d + 1);
    lines += "040000 " + index.sparse_tree(d)->hex() + " 0\t" + index.directory_path(d) + "/\n";
  }
  return lines;
}

std::string sparse_lines_of_git(RepoBuilder& repo) {
  std::string lines;
  std::istringstream out(repo.git({"ls-files", "--sparse", "--stage"}));
  for (std::string line; std::getline(out, line);) {
    if (line.starts_with("040000")) lines += line + "\n";
  }
  return lines;
}

class SparseIndex : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  void start(const RepoBuilder::Arguments& cone) {
    const auto [version, format] = GetParam();
    repo.init({std::string("--object-format=") + format});
    options.algorithm =
        std::string(format) == "sha1" ? HashAlgorithm::kSha1 : HashAlgorithm::kSha256;
    repo.git({"config", "index.version", version});
    fill(repo);
    repo.git({"commit", "-qm", "1"});
    RepoBuilder::Arguments arguments = {"sparse-checkout", "set", "--cone", "--sparse-index"};
    arguments.insert(arguments.end(), cone.begin(), cone.end());
    repo.git(arguments);
  }

  RepoBuilder repo;
  Index::LoadOptions options = sha1();
};

TEST_P(SparseIndex, EqualsGit) {
  start({"c/only", "a-b"});
  auto index = load(repo, options);
  ASSERT_TRUE(index);
  expect_consistent(*index);
  EXPECT_EQ(sparse_lines(*index), sparse_lines_of_git(repo));
  EXPECT_GE(index->sparse_directories().size(), 4u);
  EXPECT_FALSE(index->sparse_tree(0));
  ASSERT_TRUE(index->cache_tree());
  for (const CacheTree::Node& node : index->cache_tree()->nodes()) EXPECT_TRUE(node.valid());
}

TEST_P(SparseIndex, ExpandedEverywhereItEqualsGitsFullIndex) {
  start({"c/only"});
  auto index = load(repo, options);
  int steps = 0;
  while (index && !index->sparse_directories().empty()) {
    index = expand(repo, *index, index->sparse_directories());
    ASSERT_TRUE(index);
    expect_consistent(*index);
    ++steps;
  }
  EXPECT_EQ(steps, 3);  // b, b/deep, b/deep/er
  EXPECT_EQ(told_by_us(*index), told_by_git(repo));
  // The cache tree moves with its directories.
  for (uint32_t d = 0; d < index->directories().size(); ++d) {
    const uint32_t node = index->directories()[d].cache_tree;
    if (node == CacheTree::kNoNode) continue;
    EXPECT_EQ(index->cache_tree()->nodes()[node].directory, d);
    EXPECT_EQ(index->cache_tree()->id(index->cache_tree()->nodes()[node]).hex(),
              repo.git_line({"rev-parse", "HEAD:" + index->directory_path(d)}));
  }
}

TEST_P(SparseIndex, OneDirectoryIsExpandedAndTheOthersStay) {
  start({"c/only"});
  auto index = load(repo, options);
  const uint32_t b = *index->find_directory("b");
  ASSERT_TRUE(index->sparse_tree(b));
  const size_t sparse_before = index->sparse_directories().size();
  auto expanded = expand(repo, *index, std::vector<uint32_t>{b});
  ASSERT_TRUE(expanded);
  expect_consistent(*expanded);
  EXPECT_FALSE(expanded->sparse_tree(*expanded->find_directory("b")));
  EXPECT_TRUE(expanded->sparse_tree(*expanded->find_directory("b/deep")));
  EXPECT_EQ(expanded->sparse_directories().size(), sparse_before);  // without b, with b/deep
  const IndexEntry& entry = expanded->entries()[*expanded->find_path("b/x")];
  EXPECT_TRUE(entry.skip_worktree());
  EXPECT_EQ(expanded->id(entry).hex(), repo.git_line({"rev-parse", "HEAD:b/x"}));
  EXPECT_EQ(expanded->entries().size(), index->entries().size() + 2);
  EXPECT_EQ(expanded->checksum(), index->checksum());
  EXPECT_EQ(expanded->stat(), index->stat());
}

INSTANTIATE_TEST_SUITE_P(Index, SparseIndex,
                         ::testing::Combine(::testing::Values("3", "4"),
                                            ::testing::Values("sha1", "sha256")));

TEST(SparseExpansion, TreesThatAreNoIndexs) {
  RepoBuilder repo;
  repo.init();
  repo.write("d/f", "");
  repo.git({"add", "-A"});
  repo.git({"commit", "-qm", "1"});
  repo.git({"sparse-checkout", "set", "--cone", "--sparse-index"});
  auto index = load(repo);
  ASSERT_EQ(index->sparse_directories().size(), 1u);
  const ObjectId id = *index->sparse_tree(index->sparse_directories()[0]);
  auto code = [&](std::vector<TreeItem> items) {
    auto expanded =
        expand_sparse_directories(*index, {{index->sparse_directories()[0], std::move(items)}});
    return expanded.ok() ? std::optional<ErrorCode>() : expanded.error().code;
  };
  EXPECT_EQ(code({{"a", 0100644, id}, {"b", 0100644, id}}), std::nullopt);
  EXPECT_EQ(code({}), std::nullopt);
  // The order of a tree object: "a.c" is before the directory "a".
  EXPECT_EQ(code({{"a.c", 0100644, id}, {"a", 0040000, id}}), std::nullopt);
  EXPECT_EQ(code({{"a", 0040000, id}, {"a.c", 0100644, id}}), ErrorCode::kUnsupported);
  EXPECT_EQ(code({{"b", 0100644, id}, {"a", 0100644, id}}), ErrorCode::kUnsupported);
  EXPECT_EQ(code({{"a", 0100644, id}, {"a", 0100644, id}}), ErrorCode::kUnsupported);
  for (const char* name : {"", ".", "..", ".GIT", "a/b"}) {
    EXPECT_EQ(code({{name, 0100644, id}}), ErrorCode::kUnsupported) << name;
    EXPECT_EQ(code({{name, 0040000, id}}), ErrorCode::kUnsupported) << name;
  }
  EXPECT_EQ(code({{std::string(4096, 'n'), 0100644, id}}), ErrorCode::kUnsupported);
}

class SparseDamage : public ::testing::TestWithParam<const char*> {
 protected:
  std::string real_index() {
    RepoBuilder repo;
    repo.init();
    repo.git({"config", "index.version", GetParam()});
    for (const char* path : {"a", "in/b", "out/c", "out/d/e", "z/f"}) repo.write(path, path);
    repo.git({"add", "-A"});
    repo.git({"commit", "-qm", "1"});
    repo.git({"sparse-checkout", "set", "--cone", "--sparse-index", "in"});
    return read_whole_file(index_path(repo));
  }
  static Result<std::shared_ptr<Index>> decode(const std::string& bytes, bool verify_checksum) {
    // The heap block has exactly this size, so a sanitizer detects a read beyond it.
    const std::vector<uint8_t> copy(bytes.begin(), bytes.end());
    return decode_index(copy, "/r/.git/index", {HashAlgorithm::kSha1, verify_checksum});
  }
  static void expect_error_or_index(const std::string& bytes) {
    auto index = decode(bytes, false);
    if (index.ok()) return expect_consistent(**index);
    EXPECT_EQ(index.error().message.find("/r/.git/index: "), 0u) << index.error().message;
  }
};

TEST_P(SparseDamage, EveryTruncation) {
  const std::string bytes = real_index();
  ASSERT_TRUE(decode(bytes, true).ok());
  ASSERT_EQ((*decode(bytes, true))->sparse_directories().size(), 2u);
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(decode(bytes.substr(0, length), true).ok()) << length;
    expect_error_or_index(bytes.substr(0, length));
  }
}

TEST_P(SparseDamage, EveryByteAtItsExtremes) {
  std::string bytes = real_index();
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (char value : {'\0', '\xff', '\x7f', '/', '.', '\x40'}) {
      const char original = std::exchange(bytes[i], value);
      expect_error_or_index(bytes);
      bytes[i] = original;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Index, SparseDamage, ::testing::Values("3", "4"));

}  // namespace
}  // namespace resident
