#include "fs/linux/posix_file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "fs/fast_file_access.h"

namespace resident {
namespace {

namespace files = std::filesystem;

class PosixFileSystemTest : public ::testing::Test {
 protected:
  explicit PosixFileSystemTest(const std::string& parent = ::testing::TempDir())
      : root_(parent + "posix-file-system-test-" + std::to_string(::getpid())) {
    files::create_directory(root_);
  }
  ~PosixFileSystemTest() override { files::remove_all(root_); }

  // Reads by path and by directory.
  void expect_error(const std::string& name, ErrorCode code) {
    FileSystem& fs = posix_file_system();
    const std::string path = root_ + "/" + name;
    const Result<std::string> by_path = fs.read_file(path);
    ASSERT_FALSE(by_path.ok());
    EXPECT_EQ(by_path.error().code, code);
    EXPECT_TRUE(by_path.error().message.starts_with(path + ": ")) << by_path.error().message;
    Result<Directory> directory = fs.open_directory(root_);
    ASSERT_TRUE(directory.ok());
    const Result<std::string> from_directory = fs.read_file_at(*directory, name);
    ASSERT_FALSE(from_directory.ok());
    EXPECT_EQ(from_directory.error().code, code);
  }

  const std::string root_;
};

TEST_F(PosixFileSystemTest, AFileThatIsTooLargeIsAnErrorAndNotRead) {
  std::ofstream(root_ + "/huge") << "ref: refs/heads/main\n";
  // A sparse file, which uses no space on the disk.
  files::resize_file(root_ + "/huge", FileSystem::kMaxReadWhole + 1);
  expect_error("huge", ErrorCode::kUnsupported);
}

TEST_F(PosixFileSystemTest, WhatIsNoRegularFileIsNotWaitedFor) {
  ASSERT_EQ(::mkfifo((root_ + "/fifo").c_str(), 0600), 0);
  expect_error("fifo", ErrorCode::kInvalid);
  files::create_symlink("/dev/zero", root_ + "/device");
  EXPECT_EQ(posix_file_system().read_file(root_ + "/device").error().code, ErrorCode::kInvalid);
}

TEST_F(PosixFileSystemTest, APlaceIsOpenedToLookUpNamesAlone) {
  files::create_directories(root_ + "/there/below");
  std::ofstream(root_ + "/there/file") << "content";
  files::create_directory_symlink("there", root_ + "/link");
  FileSystem& fs = posix_file_system();
  Result<Directory> root = fs.open_directory(root_);
  ASSERT_TRUE(root.ok());
  const Result<Directory> place = fs.fast_access()->open_place_at(*root, "there");
  ASSERT_TRUE(place.ok());
  EXPECT_EQ(::fcntl(static_cast<int>(place->handle()), F_GETFL) & O_PATH, O_PATH);
  EXPECT_EQ(fs.stat_at(*place, "file")->size, 7u);
  EXPECT_EQ(fs.read_file_at(*place, "file").value(), "content");
  EXPECT_TRUE(fs.fast_access()->open_place_at(*place, "below").ok());
  EXPECT_TRUE(fs.open_directory_at(*place, "below").ok());
  for (const char* none : {"link", "there/file", "nothing"}) {
    const Result<Directory> opened = fs.fast_access()->open_place_at(*root, none);
    ASSERT_FALSE(opened.ok()) << none;
    EXPECT_EQ(opened.error().code, ErrorCode::kNotFound) << none;
  }
}

using Names = std::set<std::string>;

Names make_files(const std::string& directory, int count) {
  Names names;
  for (int i = 0; i < count; ++i) {
    const std::string name = std::to_string(i) + std::string(200, 'x');
    std::ofstream(directory + "/" + name).flush();
    names.insert(name);
  }
  return names;
}

// Adds the names of one more call to `names`.
bool list_more(const Directory& directory, Names& names) {
  DirectoryListing listing;
  const Result<bool> more = posix_file_system().fast_access()->list_more(directory, listing);
  EXPECT_TRUE(more.ok());
  for (size_t i = 0; i < listing.size(); ++i) {
    EXPECT_TRUE(names.emplace(listing[i].name).second) << listing[i].name;
  }
  return more.ok() && *more;
}

TEST_F(PosixFileSystemTest, ADirectoryOfAnySizeIsListedWhole) {
  Names made;
  for (const int count : {0, 1, 1000}) {
    made.merge(make_files(root_, count));
    const Result<Directory> directory = posix_file_system().open_directory(root_);
    ASSERT_TRUE(directory.ok());
    Names names;
    int calls = 1;
    while (list_more(*directory, names)) ++calls;
    EXPECT_EQ(names, made);
    EXPECT_GE(calls, count == 1000 ? 3 : 1);
    // Lists the directory twice more.
    DirectoryListing listing;
    for (int again = 0; again < 2; ++again) {
      ASSERT_TRUE(posix_file_system().list(*directory, listing).ok());
      EXPECT_EQ(listing.size(), made.size());
    }
  }
}

// Runs on a disk whose file system marks the last entry; temporary files may be in memory.
class PosixFileSystemOnDiskTest : public PosixFileSystemTest {
 protected:
  PosixFileSystemOnDiskTest() : PosixFileSystemTest(files::current_path().string() + "/") {}
};

TEST_F(PosixFileSystemOnDiskTest, TheEndOfADirectoryIsKnownWithoutACallThatGivesNothing) {
  const Names made = make_files(root_, 2);
  int64_t last = 0;
  DIR* stream = ::opendir(root_.c_str());
  ASSERT_NE(stream, nullptr);
  while (const dirent* entry = ::readdir(stream)) last = entry->d_off;
  ::closedir(stream);
  if (last != INT64_MAX) GTEST_SKIP() << "the end is at " << last;
  const Result<Directory> directory = posix_file_system().open_directory(root_);
  ASSERT_TRUE(directory.ok());
  Names names;
  EXPECT_FALSE(list_more(*directory, names));
  EXPECT_EQ(names, made);
}

}  // namespace
}  // namespace resident
