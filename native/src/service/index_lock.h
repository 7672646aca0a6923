// IndexLock: is git changing the worktree and its index right now? git writes the index last. Until
// then the worktree is in a transient state, and deltas can wait.
//
// A stale lock blocks nothing: its git died, or waits for an editor. A lock expires in three cases:
// - nobody has had it open for writing, and nothing has happened, for kQuiet;
// - nobody has had it open for writing for kLongest;
// - it has existed for kForever.
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

  // `activity` differs from the last call if something happened in the worktree since. Costs one
  // lstat; now and then also a check whether a process has the lock open.
  bool is_held(uint64_t activity, Time now);

 private:
  bool is_open() const;

  FileSystem& fs_;
  const std::string index_;
  const std::string path_;
  std::optional<FileStat> lock_;  // last seen lock file
  Time since_;                    // first seen at
  Time last_open_;
  Time last_active_;
  uint64_t activity_ = 0;
  bool expired_ = false;
};

}  // namespace resident
