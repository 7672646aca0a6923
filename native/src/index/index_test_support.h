// Support for tests of the index: git's view and ours in the same text format.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "index/index.h"
#include "testing/repo_builder.h"

namespace resident::testing {

using PathAndStage = std::pair<std::string, int>;

// git's byte order for numbers.
inline std::string be32(uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16),
          static_cast<char>(value >> 8), static_cast<char>(value)};
}

inline Index::LoadOptions sha1() {
  return {HashAlgorithm::kSha1, true};
}

inline std::string index_path(const RepoBuilder& repo) {
  return repo.work() + "/.git/index";
}

inline std::shared_ptr<const Index> load(const RepoBuilder& repo,
                                         Index::LoadOptions options = sha1()) {
  auto index = Index::load(index_path(repo), options);
  EXPECT_TRUE(index.ok()) << (index.ok() ? "" : index.error().message);
  return index.ok() ? *index : nullptr;
}

// Formats an entry like `git ls-files --stage --debug -z`.
inline std::string describe(const IndexStat& s, uint32_t mode, const ObjectId& id,
                            unsigned git_flags) {
  char text[400];
  std::snprintf(text, sizeof text,
                "%06o %s  ctime: %u:%u\n  mtime: %u:%u\n  dev: %u\tino: %u\n  uid: %u\tgid: %u\n"
                "  size: %u\tflags: %x\n",
                mode, id.hex().c_str(), s.ctime_seconds, s.ctime_nanoseconds, s.mtime_seconds,
                s.mtime_nanoseconds, s.device, s.inode, s.uid, s.gid, s.size, git_flags);
  return text;
}

inline std::map<PathAndStage, std::string> told_by_git(RepoBuilder& repo) {
  std::map<PathAndStage, std::string> result;
  std::string out = repo.git({"ls-files", "--stage", "--debug", "-z"});
  for (size_t at = 0; at < out.size();) {
    size_t tab = out.find('\t', at);
    size_t nul = out.find('\0', tab);
    size_t end = nul;
    for (int line = 0; line < 5; ++line) end = out.find('\n', end + 1);
    std::string head = out.substr(at, tab - at);  // "<mode> <id> <stage>"
    std::string debug = out.substr(nul + 1, end - nul);
    // Keep only the flags that are stored in the file.
    const size_t flags = debug.rfind(' ') + 1;
    char kept[16];
    std::snprintf(kept, sizeof kept, "%lx\n",
                  std::stoul(debug.substr(flags), nullptr, 16) & 0x6000f000);
    result[{out.substr(tab + 1, nul - tab - 1), head.back() - '0'}] =
        head.substr(0, head.size() - 2) + debug.substr(0, flags) + kept;
    at = end + 1;
  }
  return result;
}

inline std::map<PathAndStage, std::string> told_by_us(const Index& index) {
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

// Checks every promise of index.h about order and lookup.
inline void expect_consistent(const Index& index) {
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

inline void expect_equals_git(RepoBuilder& repo, Index::LoadOptions options = sha1()) {
  auto index = load(repo, options);
  ASSERT_TRUE(index);
  EXPECT_EQ(told_by_us(*index), told_by_git(repo));
  expect_consistent(*index);
}

// Writes files in several directories. Some names sort around '/'.
inline void fill(RepoBuilder& repo) {
  for (const char* path :
       {"a", "a-b/x", "a.c", "a0", "b/deep/er/file", "b/deep/other", "b/x", "b-/y", "c/only/d/one",
        "Makefile", "with space", "new\nline", "caf\xe9", "b/deep.txt", ".gitignore", ".gitx/z"}) {
    repo.write(path, std::string("content of ") + path);
  }
  repo.write(std::string(200, 'n') + "/" + std::string(255, 'm'), "long");
  repo.git({"add", "-A"});
}

}  // namespace resident::testing
