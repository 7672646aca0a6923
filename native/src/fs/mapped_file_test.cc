#include "fs/mapped_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace resident {
namespace {

namespace files = std::filesystem;

class MappedFileTest : public ::testing::Test {
 protected:
  MappedFileTest()
      : path_(::testing::TempDir() + "mapped-file-test-" + std::to_string(::getpid())) {}
  ~MappedFileTest() override { files::remove(path_); }

  void write(size_t size) { std::ofstream(path_) << std::string(size, 'x'); }

  const std::string path_;
};

constexpr size_t kSize = 5 * 4096 + 100;

TEST_F(MappedFileTest, WhatIsCutOffReadsAsZeros) {
  write(kSize);
  Result<MappedFile> file = MappedFile::open(path_);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->bytes()[kSize - 1], 'x');
  EXPECT_TRUE(file->is_whole());
  files::resize_file(path_, 4096);
  EXPECT_EQ(file->bytes()[0], 'x');
  EXPECT_TRUE(file->is_whole());
  EXPECT_EQ(file->bytes()[kSize - 1], 0);
  EXPECT_EQ(file->bytes()[8192], 0);
  EXPECT_EQ(file->bytes()[0], 'x');
  EXPECT_FALSE(file->is_whole());
}

TEST_F(MappedFileTest, TheNextOneIsWhole) {
  for (int i = 0; i < 3; ++i) {
    write(kSize);
    Result<MappedFile> opened = MappedFile::open(path_);
    ASSERT_TRUE(opened.ok());
    MappedFile file;
    file = std::move(opened).value();
    EXPECT_TRUE(file.is_whole());
    files::resize_file(path_, 0);
    EXPECT_EQ(file.bytes()[0], 0);
    EXPECT_FALSE(file.is_whole());
    MappedFile moved = std::move(file);
    EXPECT_FALSE(moved.is_whole());
    EXPECT_TRUE(file.is_whole());
  }
}

#ifdef __linux__
// Size of the process's resident pages in the mapping at `data`, in KiB.
size_t mapped_pages(const void* data) {
  std::ostringstream address;
  address << std::hex << reinterpret_cast<uintptr_t>(data) << '-';
  std::ifstream maps("/proc/self/smaps");
  std::string line;
  while (std::getline(maps, line) && !line.starts_with(address.str())) {
  }
  while (std::getline(maps, line) && !line.starts_with("Rss:")) {
  }
  return line.starts_with("Rss:") ? std::stoul(line.substr(4)) : 0;
}

TEST_F(MappedFileTest, IsMappedAheadOfWhoReadsIt) {
  constexpr size_t kKib = 4096;
  write(kKib << 10);
  Result<MappedFile> file = MappedFile::open(path_);
  ASSERT_TRUE(file.ok());
  const uint8_t* const data = file->bytes().data();
  std::atomic<bool> enough = true;
  MappedFile::map_ahead(file->bytes(), enough);
  EXPECT_EQ(mapped_pages(data), 0u);
  enough = false;
  MappedFile::map_ahead(file->bytes().first(kKib << 8), enough);
  EXPECT_LT(mapped_pages(data), kKib);
  MappedFile::map_ahead(file->bytes(), enough);
  EXPECT_EQ(mapped_pages(data), kKib);
}
#endif

TEST_F(MappedFileTest, MappingAheadOutlivesAFileThatIsCut) {
  write(size_t{1} << 20);
  Result<MappedFile> file = MappedFile::open(path_);
  ASSERT_TRUE(file.ok());
  files::resize_file(path_, 0);
  MappedFile::map_ahead(file->bytes(), std::atomic<bool>(false));
  EXPECT_FALSE(file->is_whole());
}

TEST_F(MappedFileTest, AnyOtherBusErrorEndsTheProcess) {
  write(kSize);
#ifdef __SANITIZE_ADDRESS__
  // AddressSanitizer reports the signal and ends the process itself.
  const ::testing::ExitedWithCode ends(1);
#else
  const ::testing::KilledBySignal ends(SIGBUS);
#endif
  EXPECT_EXIT(
      {
        (void)MappedFile::open(path_);
        ::raise(SIGBUS);
        ::raise(SIGBUS);
      },
      ends, "");
}

}  // namespace
}  // namespace resident
