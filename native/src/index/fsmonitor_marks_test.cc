#include "index/fsmonitor_marks.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "index/index_test_support.h"

namespace resident {
namespace {

using testing::be32;
using testing::RepoBuilder;

std::string be64(uint64_t value) {
  return be32(static_cast<uint32_t>(value >> 32)) + be32(static_cast<uint32_t>(value));
}

// A bitmap of up to 64 bits.
std::string bitmap_of(uint64_t bits, uint32_t count) {
  return be32(count) + be32(2) + be64(uint64_t{1} << 33) + be64(bits) + be32(0);
}

std::string version_2(const std::string& token, const std::string& bitmap) {
  const auto size = static_cast<uint32_t>(bitmap.size());
  return be32(2) + token + '\0' + be32(size) + bitmap;
}

std::optional<FsmonitorMarks> marks_in(const std::string& text, uint32_t count) {
  // A heap block of exactly this size: reading one byte too far is seen.
  const std::vector<uint8_t> copy(text.begin(), text.end());
  return read_fsmonitor_marks(copy, count);
}

TEST(FsmonitorMarks, TokenAndPositions) {
  const auto marks = marks_in(version_2("token", bitmap_of(0b10110, 5)), 5);
  ASSERT_TRUE(marks);
  EXPECT_EQ(marks->token, "token");
  EXPECT_EQ(marks->dirty, (std::vector<uint32_t>{1, 2, 4}));
}

TEST(FsmonitorMarks, NothingIsKnownOfATimeOrWithoutAToken) {
  const std::string bitmap = bitmap_of(1, 5);
  for (const std::string& text :
       {be32(1) + be64(7) + be32(static_cast<uint32_t>(bitmap.size())) + bitmap,
        version_2("", bitmap),
        version_2(std::string(FsmonitorMarks::kLongestToken + 1, 'x'), bitmap)}) {
    const auto marks = marks_in(text, 5);
    ASSERT_TRUE(marks);
    EXPECT_EQ(marks->token, "");
    EXPECT_EQ(marks->dirty, std::vector<uint32_t>());
  }
}

TEST(FsmonitorMarks, NothingIsKnownOfMoreThanIsKept) {
  constexpr uint32_t kWords = FsmonitorMarks::kMaxDirty / 64;
  for (const uint32_t words : {kWords, kWords + 1}) {
    const std::string bitmap =
        be32(words * 64) + be32(1) + be64(1 | uint64_t{words} << 1) + be32(0);
    const auto marks = marks_in(version_2("t", bitmap), words * 64);
    ASSERT_TRUE(marks);
    EXPECT_EQ(marks->token, words == kWords ? "t" : "");
    EXPECT_EQ(marks->dirty.size(), words == kWords ? FsmonitorMarks::kMaxDirty : 0);
  }
}

TEST(FsmonitorMarks, Damaged) {
  const std::string good = version_2("token", bitmap_of(0b10110, 5));
  for (size_t length = 0; length < good.size(); ++length) {
    EXPECT_FALSE(marks_in(good.substr(0, length), 5)) << length;
  }
  EXPECT_FALSE(marks_in(good + '\0', 5));
  EXPECT_FALSE(marks_in(be32(3) + good.substr(4), 5));
  EXPECT_FALSE(marks_in(version_2("token", bitmap_of(0b10110, 6)), 5));
  EXPECT_FALSE(marks_in(version_2("token", bitmap_of(0b110110, 5)), 5));
  EXPECT_FALSE(marks_in(version_2("token", bitmap_of(0b10110, 5) + be32(0)), 5));
}

// A worktree whose git has a monitor that says what `answer` says.
class FsmonitorMarksOfGitTest : public ::testing::Test {
 protected:
  FsmonitorMarksOfGitTest() {
    repo_.init();
    for (const char* path : {"a", "a-b", "a0", "d/a", "d/e/f", "d/e/g", "d/z", "x/y/z", "z"}) {
      repo_.write(path, path);
    }
    repo_.git({"add", "-A"});
    repo_.git({"commit", "-q", "-m", "1"});
    const std::string script = repo_.path("monitor");
    testing::write_whole_file(script, "#!/bin/sh\ncat '" + repo_.path("answer") + "'\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    repo_.git({"config", "core.fsmonitor", script});
    repo_.git({"config", "core.fsmonitorHookVersion", "2"});
  }

  void answer(const std::string& token, const std::vector<std::string>& names) {
    std::string text = token + '\0';
    for (const std::string& name : names) text += name + '\0';
    testing::write_whole_file(repo_.path("answer"), text);
  }

  // What git takes for unchanged has a letter that is small. It is told nothing for that.
  std::set<std::string> dirty_for_git() {
    answer("asked for", {});
    std::set<std::string> paths;
    const std::string listed = repo_.git({"ls-files", "-f", "-z"});
    for (size_t at = 0; at < listed.size(); at = listed.find('\0', at) + 1) {
      if (listed[at] >= 'A' && listed[at] <= 'Z') paths.insert(listed.c_str() + at + 2);
    }
    return paths;
  }
  static std::set<std::string> dirty_in(const Index& index) {
    std::set<std::string> paths;
    for (uint32_t entry = 0; entry < index.entries().size(); ++entry) {
      if (index.is_fsmonitor_dirty(entry)) paths.insert(index.path(entry));
    }
    return paths;
  }

  RepoBuilder repo_;
};

TEST_F(FsmonitorMarksOfGitTest, AsGitWroteThemReadAndRefreshed) {
  answer("first", {"/"});
  repo_.write("d/e/g", "other");
  repo_.write("z", "other");
  repo_.git({"status"});
  Result<std::shared_ptr<Index>> index = Index::load(testing::index_path(repo_), {});
  ASSERT_TRUE(index.ok());
  EXPECT_EQ((*index)->fsmonitor_token(), "first");
  EXPECT_EQ(dirty_in(**index), (std::set<std::string>{"d/e/g", "z"}));
  EXPECT_EQ(dirty_for_git(), dirty_in(**index));

  answer("second", {"a-b", "x/y/z", "d/a"});
  for (const char* path : {"a-b", "x/y/z", "d/a", "d/z"}) repo_.write(path, "changed too");
  // `git status` may see no reason to write its index.
  for (const char* flag : {"--assume-unchanged", "--no-assume-unchanged"}) {
    repo_.git({"update-index", flag, "z"});
  }
  ASSERT_TRUE((*index)->refresh(testing::index_path(repo_), {}, true));
  EXPECT_EQ((*index)->fsmonitor_token(), "second");
  EXPECT_EQ(dirty_in(**index), (std::set<std::string>{"a-b", "d/a", "d/e/g", "x/y/z", "z"}));
  EXPECT_EQ(dirty_for_git(), dirty_in(**index));

  // With entries that came and went.
  answer("third", {"d/b", "d/e/ff", "a-b"});
  repo_.write("d/b", "new");
  repo_.write("d/e/ff", "new");
  repo_.git({"add", "-N", "d/b", "d/e/ff"});
  repo_.git({"rm", "-q", "--cached", "a"});
  ASSERT_TRUE((*index)->refresh(testing::index_path(repo_), {}, true));
  EXPECT_EQ((*index)->fsmonitor_token(), "third");
  EXPECT_EQ(dirty_in(**index), dirty_for_git());
  EXPECT_EQ(dirty_in(**index).count("d/e/g"), 1U);
  EXPECT_EQ(dirty_in(*testing::load(repo_)), dirty_in(**index));
}

TEST_F(FsmonitorMarksOfGitTest, NothingIsKnownOfASplitIndex) {
  answer("first", {"/"});
  repo_.write("z", "other");
  repo_.git({"status"});
  EXPECT_EQ(testing::load(repo_)->fsmonitor_token(), "first");
  repo_.git({"update-index", "--split-index"});
  const auto index = testing::load(repo_);
  EXPECT_NE(index->shared_path(), "");
  EXPECT_EQ(index->fsmonitor_token(), "");
  EXPECT_EQ(dirty_in(*index), std::set<std::string>());
}

TEST_F(FsmonitorMarksOfGitTest, NothingIsKnownWithoutAMonitor) {
  answer("first", {"/"});
  repo_.git({"status"});
  EXPECT_EQ(testing::load(repo_)->fsmonitor_token(), "first");
  repo_.git({"-c", "core.fsmonitor=false", "status"});
  EXPECT_EQ(testing::load(repo_)->fsmonitor_token(), "");
}

}  // namespace
}  // namespace resident
