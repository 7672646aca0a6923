// TreeReadAhead: the directories of a tree, and what lstat says of their files, read by several
// threads before anybody asks, so that the system has them in memory. Nothing of it is kept, so
// nothing of it can be wrong: whoever asks later asks the system.
//
// It stays on one file system, follows no link, and leaves every ".git" out. On a kernel without
// openat2(2), which is older than Linux 5.6, it reads nothing.
//
// Threads: one owner. Its own ones read until they are stopped, and nobody waits for them: one that
// hangs in a system call ends with the process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace resident {

class TreeReadAhead {
 public:
  static constexpr uint32_t kMaxDirectories = 1 << 16;

  // Begins, with the directory `root`.
  explicit TreeReadAhead(const std::string& root, uint32_t limit = kMaxDirectories);
  ~TreeReadAhead() { stop(); }
  TreeReadAhead(const TreeReadAhead&) = delete;
  TreeReadAhead& operator=(const TreeReadAhead&) = delete;

  // No thread begins with another name.
  void stop();

  struct Progress {
    uint32_t directories = 0;  // that were opened
    uint32_t names = 0;        // that lstat was asked about
    bool ended = false;        // no thread is at work
  };
  Progress progress() const;

 private:
  struct State;
  const std::shared_ptr<State> state_;
};

}  // namespace resident
