#include "fs/posix_file_system.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace resident {
namespace {

namespace files = std::filesystem;

class PosixFileSystemTest : public ::testing::Test {
 protected:
  PosixFileSystemTest()
      : root_(::testing::TempDir() + "posix-file-system-test-" + std::to_string(::getpid())) {
    files::create_directory(root_);
  }
  ~PosixFileSystemTest() override { files::remove_all(root_); }

  // By its path and from its directory.
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
  // It takes no room on the disk.
  files::resize_file(root_ + "/huge", FileSystem::kMostReadWhole + 1);
  expect_error("huge", ErrorCode::kUnsupported);
}

TEST_F(PosixFileSystemTest, WhatIsNoRegularFileIsNotWaitedFor) {
  ASSERT_EQ(::mkfifo((root_ + "/fifo").c_str(), 0600), 0);
  expect_error("fifo", ErrorCode::kInvalid);
  files::create_symlink("/dev/zero", root_ + "/device");
  EXPECT_EQ(posix_file_system().read_file(root_ + "/device").error().code, ErrorCode::kInvalid);
}

}  // namespace
}  // namespace resident
