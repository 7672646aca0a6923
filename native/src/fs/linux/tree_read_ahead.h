// TreeReadAhead: reads the directories of a tree and the lstat data of their files on several
// threads. The system then has them in memory before they are needed. No result is kept, so no
// result can be stale: later readers ask the system again.
//
// It stays on one file system, follows no links, and skips every ".git". On kernels without
// openat2(2), older than Linux 5.6, it reads nothing.
//
// Threads: one owner. Its own threads read until they are stopped, and nobody waits for them. A
// thread that hangs in a system call ends with the process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "fs/fast_file_access.h"

namespace resident {

class TreeReadAhead final : public ReadAhead {
 public:
  static constexpr uint32_t kMaxDirectories = 1 << 16;

  // Starts to read the directory `root`.
  explicit TreeReadAhead(const std::string& root, uint32_t limit = kMaxDirectories);
  ~TreeReadAhead() override { stop(); }
  TreeReadAhead(const TreeReadAhead&) = delete;
  TreeReadAhead& operator=(const TreeReadAhead&) = delete;

  // Makes each thread stop before its next name. Does not wait.
  void stop();

  struct Progress {
    uint32_t directories = 0;  // opened directories
    uint32_t names = 0;        // names passed to lstat
    bool ended = false;        // all threads have stopped
  };
  Progress progress() const;

 private:
  struct State;
  const std::shared_ptr<State> state_;
};

}  // namespace resident
