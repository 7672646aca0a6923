#include "repo_state/file_set.h"

#include <gtest/gtest.h>

#include "testing/fake_file_system.h"

namespace resident {
namespace {

class FileSetTest : public ::testing::Test {
 protected:
  FileSetTest() {
    fs_.write("/r/a", "1");
    fs_.tick();
    fs_.write("/r/b", "1");
    fs_.tick();
  }
  testing::FakeFileSystem fs_;
};

TEST_F(FileSetTest, NothingHappened) {
  FileSet set = FileSet::record(fs_, {"/r/b", "/r/a", "/r/gone", "", "/r/a"});
  EXPECT_EQ(set.paths(), (std::vector<std::string>{"", "/r/a", "/r/b", "/r/gone"}));
  EXPECT_FALSE(set.changed(fs_));
  fs_.tick();
  EXPECT_FALSE(set.changed(fs_));
  EXPECT_FALSE(FileSet().changed(fs_));
}

TEST_F(FileSetTest, WhatIsFoundIsFoundAgainOnceItIsRecorded) {
  int finds = 0;
  FileSet set = FileSet::record_found(
      fs_, [&]() -> std::vector<std::string> { return {++finds == 1 ? "/r/a" : "/r/b"}; });
  EXPECT_EQ(set.paths(), std::vector<std::string>{"/r/b"});
  EXPECT_EQ(finds, 3);
  EXPECT_FALSE(set.changed(fs_));

  finds = 0;
  FileSet never = FileSet::record_found(
      fs_, [&]() -> std::vector<std::string> { return {"/r/" + std::to_string(++finds)}; });
  EXPECT_LT(finds, 20);
  EXPECT_TRUE(never.changed(fs_));
}

TEST_F(FileSetTest, ContentComingAndGoing) {
  FileSet set = FileSet::record(fs_, {"/r/a", "/r/b", "/r/new"});
  fs_.write("/r/a", "2");
  EXPECT_TRUE(set.changed(fs_));

  const auto settled = [&] {
    fs_.tick();
    return FileSet::record(fs_, {"/r/a", "/r/b", "/r/new"});
  };
  FileSet second = settled();
  EXPECT_FALSE(second.changed(fs_));
  fs_.remove("/r/b");
  EXPECT_TRUE(second.changed(fs_));
  FileSet third = settled();
  fs_.write("/r/new", "1");
  EXPECT_TRUE(third.changed(fs_));
}

TEST_F(FileSetTest, AnotherFileOfTheSameLooksIsAnother) {
  FileSet set = FileSet::record(fs_, {"/r/a"});
  fs_.write("/r/t", "1");
  fs_.set_mtime("/r/t", fs_.stat("/r/a")->mtime);
  fs_.rename("/r/t", "/r/a");
  EXPECT_TRUE(set.changed(fs_));
}

TEST_F(FileSetTest, WrittenInThisVeryTickIsUnsettled) {
  fs_.write("/r/a", "2");
  FileSet set = FileSet::record(fs_, {"/r/a"});
  EXPECT_TRUE(set.changed(fs_)) << "a second write within the tick would leave the same stat";
  fs_.tick();
  EXPECT_TRUE(set.changed(fs_)) << "it has to be recorded again";
  EXPECT_FALSE(FileSet::record(fs_, {"/r/a"}).changed(fs_));
}

TEST_F(FileSetTest, AnOldTimeOnAFreshFileIsUnsettledToo) {
  fs_.write("/r/a", "2");
  fs_.set_mtime("/r/a", {1, 0});
  FileSet set = FileSet::record(fs_, {"/r/a"});
  fs_.write("/r/a", "3");
  fs_.set_mtime("/r/a", {1, 0});
  EXPECT_TRUE(set.changed(fs_));
}

TEST_F(FileSetTest, OfADirectoryOnlyItsBeingThereCounts) {
  fs_.make_directory("/r/d");
  FileSet set = FileSet::record(fs_, {"/r/d"});
  fs_.tick();
  fs_.write("/r/d/f", "1");
  EXPECT_FALSE(set.changed(fs_));
  fs_.remove("/r/d");
  EXPECT_TRUE(set.changed(fs_));
  fs_.write("/r/d", "a file");
  EXPECT_TRUE(set.changed(fs_));
}

}  // namespace
}  // namespace resident
