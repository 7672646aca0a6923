// Counts of each FileSystem operation, for both test file systems.
//
// Threads: count from any thread; take() and read while nobody counts.
#pragma once

#include <atomic>
#include <cstdint>

namespace resident::testing {

struct FileSystemCalls {
  std::atomic<uint64_t> open{0};       // directories
  std::atomic<uint64_t> list{0};       // directories
  std::atomic<uint64_t> list_more{0};  // later parts of long listings
  std::atomic<uint64_t> stat_directory{0};
  std::atomic<uint64_t> stat_at{0};
  std::atomic<uint64_t> read_link{0};
  std::atomic<uint64_t> read_file_at{0};
  std::atomic<uint64_t> stat{0};  // stat and lstat by absolute path
  std::atomic<uint64_t> read_file{0};

  uint64_t total() const {
    return open + list + list_more + stat_directory + stat_at + read_link + read_file_at + stat +
           read_file;
  }
  void reset() {
    for (auto* count : {&open, &list, &list_more, &stat_directory, &stat_at, &read_link,
                        &read_file_at, &stat, &read_file}) {
      count->store(0);
    }
  }
};

}  // namespace resident::testing
