// FileOnDisk: a file that can be evicted from the page cache, so that the next read comes from the
// disk. It is in /var/tmp, because /tmp can be in memory.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "os/unique_fd.h"

namespace resident::testing {

inline constexpr const char* kForgetsNothing = "the file system of /var/tmp is memory";

class FileOnDisk {
 public:
  FileOnDisk(const std::string& name, const std::string& content) {
    std::string pattern = "/var/tmp/resident-git-XXXXXX";
    if (!::mkdtemp(pattern.data())) ADD_FAILURE() << "mkdtemp " << pattern;
    directory_ = pattern;
    path_ = directory_ + "/" + name;
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~FileOnDisk() { std::filesystem::remove_all(directory_); }
  FileOnDisk(const FileOnDisk&) = delete;
  FileOnDisk& operator=(const FileOnDisk&) = delete;

  const std::string& directory() const { return directory_; }
  const std::string& path() const { return path_; }

  // False: the file stays in memory.
  bool forget() const {
    const UniqueFd file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
    EXPECT_EQ(::fdatasync(file.get()), 0);
    EXPECT_EQ(::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED), 0);
    // mincore(2) tells which pages are in memory.
    const size_t size = std::filesystem::file_size(path_);
    void* const mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
    EXPECT_NE(mapped, MAP_FAILED);
    std::vector<unsigned char> pages(size / static_cast<size_t>(::sysconf(_SC_PAGESIZE)) + 1);
    EXPECT_EQ(::mincore(mapped, size, pages.data()), 0);
    ::munmap(mapped, size);
    const auto is_there = [](unsigned char page) { return (page & 1) != 0; };
    return std::none_of(pages.begin(), pages.end(), is_there);
  }

 private:
  std::string directory_;
  std::string path_;
};

}  // namespace resident::testing
