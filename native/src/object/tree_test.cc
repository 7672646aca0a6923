#include "object/tree.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace resident {
namespace {

std::string entry(std::string_view mode, std::string_view name, char fill, size_t id_size = 20) {
  std::string bytes(mode);
  bytes += ' ';
  bytes += name;
  bytes += '\0';
  return bytes + std::string(id_size, fill);
}

Result<size_t> count_entries(std::string_view content,
                             HashAlgorithm algorithm = HashAlgorithm::kSha1) {
  TreeIterator tree(content, algorithm);
  for (size_t count = 0;; ++count) {
    RESIDENT_TRY(bool more, tree.next());
    if (!more) return count;
  }
}

TEST(CanonicalMode, KeepsWhatGitKeeps) {
  EXPECT_EQ(canonical_mode(0100644), kModeRegular);
  EXPECT_EQ(canonical_mode(0100664), kModeRegular);
  EXPECT_EQ(canonical_mode(0100755), kModeExecutable);
  EXPECT_EQ(canonical_mode(0100700), kModeExecutable);
  EXPECT_EQ(canonical_mode(0100611), kModeRegular);
  EXPECT_EQ(canonical_mode(0120777), kModeSymlink);
  EXPECT_EQ(canonical_mode(0040755), kModeTree);
  EXPECT_EQ(canonical_mode(0160000), kModeGitlink);
  EXPECT_EQ(canonical_mode(0), kModeGitlink);
}

TEST(TreeIterator, WalksEntries) {
  std::string content = entry("100664", "a b\n", 'x') + entry("40000", "dir", 'y');
  TreeIterator tree(content, HashAlgorithm::kSha1);
  ASSERT_TRUE(*tree.next());
  EXPECT_EQ(tree.entry().mode, kModeRegular);
  EXPECT_EQ(tree.entry().name, "a b\n");
  EXPECT_EQ(tree.entry().id, ObjectId::from_bytes(as_bytes(std::string(20, 'x'))));
  ASSERT_TRUE(*tree.next());
  EXPECT_TRUE(tree.entry().is_tree());
  EXPECT_EQ(tree.entry().name, "dir");
  EXPECT_FALSE(*tree.next());
  EXPECT_FALSE(*tree.next());
}

TEST(TreeIterator, ReadsIdsOfTheRepositorysAlgorithm) {
  std::string content = entry("120000", "link", 'z', 32);
  TreeIterator tree(content, HashAlgorithm::kSha256);
  ASSERT_TRUE(*tree.next());
  EXPECT_EQ(tree.entry().id.size(), 32u);
  EXPECT_FALSE(*tree.next());
}

TEST(TreeIterator, EmptyTreeHasNoEntries) {
  EXPECT_EQ(*count_entries(""), 0u);
}

TEST(TreeIterator, EveryTruncationIsAnErrorOrAWholeEntry) {
  std::string content = entry("100644", "file", 'x') + entry("40000", "dir", 'y');
  const size_t first = entry("100644", "file", 'x').size();
  for (size_t length = 1; length < content.size(); ++length) {
    auto count = count_entries(std::string(content, 0, length));
    EXPECT_EQ(count.ok(), length == first) << length;
    if (!count.ok()) {
      EXPECT_EQ(count.error().code, ErrorCode::kCorrupt);
    }
  }
}

TEST(TreeIterator, RefusesMalformedEntries) {
  for (const std::string& content :
       {entry("", "name", 'x'), entry("1006x4", "name", 'x'), entry("100644", "", 'x'),
        std::string(30, '1'), std::string(30, '\0'), entry("189", "name", 'x')}) {
    auto count = count_entries(content);
    ASSERT_FALSE(count.ok());
    EXPECT_EQ(count.error().code, ErrorCode::kCorrupt);
  }
}

}  // namespace
}  // namespace resident
