// IndexLock: whether git is in the middle of changing the worktree and its index, which it writes
// last. What is seen until then is a state that nobody made: telling it can wait.
//
// A lock that is left behind by a git that died, or kept by one that waits for an editor, holds
// nothing up: once nobody has had it open for writing and nothing has happened for kQuiet, or
// nobody has had it open for kLongest, that very lock does not count any more. Nor does one of a
// git that is at it for kForever.
//
// Threads: one owner thread.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "fs/file_system.h"

namespace resident {

class IndexLock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::seconds kQuiet{1};
  static constexpr std::chrono::seconds kLongest{30};
  static constexpr std::chrono::minutes kForever{10};

  IndexLock(FileSystem& fs, const std::string& index_path)
      : fs_(fs), index_(index_path), path_(index_path + ".lock") {}

  // `activity` is another number than at the last call where something has happened in the worktree
  // since. Costs one lstat, and now and then a look at who has it open.
  bool is_held(uint64_t activity, Time now);

 private:
  bool is_open() const;

  FileSystem& fs_;
  const std::string index_;
  const std::string path_;
  std::optional<FileStat> lock_;  // the one that was last seen
  Time since_;                    // when it was first seen
  Time last_open_;
  Time last_active_;
  uint64_t activity_ = 0;
  bool expired_ = false;
};

}  // namespace resident
