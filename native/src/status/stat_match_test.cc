// git's stat rules as a table, with one difference at a time.
#include "status/stat_match.h"

#include <gtest/gtest.h>

#include "object/tree.h"

namespace resident {
namespace {

constexpr Timestamp kIndexLater{2000, 0};

struct Case {
  IndexEntry entry;
  FileStat stat;
  Timestamp index_mtime = kIndexLater;
  WorktreeSettings settings;
  bool empty_blob = false;

  Case() {
    entry.mode = kModeRegular;
    entry.stat = {.ctime_seconds = 1000,
                  .ctime_nanoseconds = 5,
                  .mtime_seconds = 1000,
                  .mtime_nanoseconds = 5,
                  .device = 7,
                  .inode = 42,
                  .uid = 1,
                  .gid = 2,
                  .size = 10};
    stat.kind = FileKind::kRegular;
    stat.uid = 1;
    stat.gid = 2;
    stat.device = 7;
    stat.inode = 42;
    stat.size = 10;
    stat.mtime = stat.ctime = {1000, 5};
  }
  StatMatch match() const { return match_stat(entry, empty_blob, stat, index_mtime, settings); }
};

TEST(StatMatch, EqualStatDataAreBelieved) {
  EXPECT_EQ(Case().match(), StatMatch::kSame);
}

TEST(StatMatch, EachFieldThatGitComparesAsksForTheContent) {
  const auto differing = [](auto&& change) {
    Case c;
    change(c);
    return c.match();
  };
  EXPECT_EQ(differing([](Case& c) { c.stat.mtime.seconds = 999; }), StatMatch::kReadContent);
  EXPECT_EQ(differing([](Case& c) { c.stat.ctime.seconds = 999; }), StatMatch::kReadContent);
  EXPECT_EQ(differing([](Case& c) { c.stat.uid = 9; }), StatMatch::kReadContent);
  EXPECT_EQ(differing([](Case& c) { c.stat.gid = 9; }), StatMatch::kReadContent);
  EXPECT_EQ(differing([](Case& c) { c.stat.inode = 9; }), StatMatch::kReadContent);
  // Like git's default build: neither nanoseconds nor the device are compared.
  EXPECT_EQ(differing([](Case& c) { c.stat.mtime.nanoseconds = 9; }), StatMatch::kSame);
  EXPECT_EQ(differing([](Case& c) { c.stat.ctime.nanoseconds = 9; }), StatMatch::kSame);
  EXPECT_EQ(differing([](Case& c) { c.stat.device = 9; }), StatMatch::kSame);
  EXPECT_EQ(differing([](Case& c) { c.stat.links = 9; }), StatMatch::kSame);
}

TEST(StatMatch, FieldsAreCutTo32Bits) {
  Case c;
  c.stat.inode = (uint64_t{1} << 32) + 42;
  c.stat.size = (uint64_t{1} << 32) + 10;
  c.stat.mtime.seconds = (int64_t{1} << 32) + 1000;
  EXPECT_EQ(c.match(), StatMatch::kSame);
}

TEST(StatMatch, AnotherSizeTellsWithoutReading) {
  Case c;
  c.stat.size = 11;
  EXPECT_EQ(c.match(), StatMatch::kDiffers);
  c.stat.size = 0;
  EXPECT_EQ(c.match(), StatMatch::kDiffers);
}

TEST(StatMatch, SizeZeroMayMeanSmudged) {
  Case c;
  c.entry.stat.size = 0;
  EXPECT_EQ(c.match(), StatMatch::kReadContent) << "the size says nothing";
  c.stat.size = 0;
  EXPECT_EQ(c.match(), StatMatch::kReadContent) << "an empty file whose blob is not empty";
  c.empty_blob = true;
  EXPECT_EQ(c.match(), StatMatch::kSame);
  c.stat.size = 5;
  EXPECT_EQ(c.match(), StatMatch::kReadContent);
}

TEST(StatMatch, RacilyClean) {
  Case c;
  c.index_mtime = {1000, 0};
  EXPECT_EQ(c.match(), StatMatch::kReadContent) << "the same second";
  c.index_mtime = {999, 999'999'999};
  EXPECT_EQ(c.match(), StatMatch::kReadContent) << "an index older than the file";
  c.index_mtime = {1001, 0};
  EXPECT_EQ(c.match(), StatMatch::kSame);
  c.index_mtime = {0, 0};
  EXPECT_EQ(c.match(), StatMatch::kSame) << "an index without a time is not compared";
}

TEST(StatMatch, TypeAndMode) {
  Case c;
  c.stat.executable = true;
  EXPECT_EQ(c.match(), StatMatch::kDiffers);
  c.settings.trust_file_mode = false;
  EXPECT_EQ(c.match(), StatMatch::kSame);
  c.entry.mode = kModeExecutable;
  c.stat.executable = false;
  EXPECT_EQ(c.match(), StatMatch::kSame);
  c.settings.trust_file_mode = true;
  EXPECT_EQ(c.match(), StatMatch::kDiffers);

  Case link;
  link.stat.kind = FileKind::kSymlink;
  EXPECT_EQ(link.match(), StatMatch::kDiffers);
  link.entry.mode = kModeSymlink;
  EXPECT_EQ(link.match(), StatMatch::kSame);
  link.stat.kind = FileKind::kRegular;
  EXPECT_EQ(link.match(), StatMatch::kDiffers);
  link.settings.has_symlinks = false;
  EXPECT_EQ(link.match(), StatMatch::kSame) << "without symbolic links a file stands for one";
  link.stat.kind = FileKind::kOther;
  EXPECT_EQ(link.match(), StatMatch::kDiffers);
}

TEST(StatMatch, SettingsLeaveFieldsOut) {
  Case c;
  c.stat.ctime.seconds = 999;
  c.settings.trust_ctime = false;
  EXPECT_EQ(c.match(), StatMatch::kSame);

  Case minimal;
  minimal.settings.check_stat = false;
  minimal.stat.ctime.seconds = 999;
  minimal.stat.uid = minimal.stat.gid = 9;
  minimal.stat.inode = 9;
  EXPECT_EQ(minimal.match(), StatMatch::kSame);
  minimal.stat.mtime.seconds = 999;
  EXPECT_EQ(minimal.match(), StatMatch::kReadContent);

  Case without_inodes;
  without_inodes.settings.compare_inodes = false;
  without_inodes.stat.inode = 9;
  EXPECT_EQ(without_inodes.match(), StatMatch::kSame);
  without_inodes.stat.uid = 9;
  EXPECT_EQ(without_inodes.match(), StatMatch::kReadContent);
}

TEST(WorktreeMode, AsGitGivesIt) {
  Case c;
  EXPECT_EQ(worktree_mode(c.entry, c.stat, c.settings), kModeRegular);
  c.stat.executable = true;
  EXPECT_EQ(worktree_mode(c.entry, c.stat, c.settings), kModeExecutable);
  c.settings.trust_file_mode = false;
  EXPECT_EQ(worktree_mode(c.entry, c.stat, c.settings), kModeRegular) << "the entry's mode";
  c.entry.mode = kModeSymlink;
  EXPECT_EQ(worktree_mode(c.entry, c.stat, c.settings), kModeRegular);
  c.settings.has_symlinks = false;
  EXPECT_EQ(worktree_mode(c.entry, c.stat, c.settings), kModeSymlink);
  c.stat.kind = FileKind::kSymlink;
  EXPECT_EQ(worktree_mode(c.entry, c.stat, {}), kModeSymlink);
  c.stat.kind = FileKind::kDirectory;
  EXPECT_EQ(worktree_mode(c.entry, c.stat, {}), kModeGitlink);
}

}  // namespace
}  // namespace resident
