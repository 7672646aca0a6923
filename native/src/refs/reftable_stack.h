// ReftableStack: the reftables of one directory. For each key the newest table with a record
// counts.
//
// The file tables.list names the tables, oldest first. Each change of a ref adds a table and
// replaces the list. Sometimes git merges several tables and removes the old ones. Tables stay open
// while the list names them.
//
// Source: git's Documentation/technical/reftable.
//
// Threads: any thread may call all members.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "fs/file_system.h"
#include "refs/reftable_table.h"

namespace resident {

class ReftableStack {
 public:
  // Path of the list in a git directory.
  static std::string list_in(const std::string& git_dir);

  // `git_dir` contains the directory `reftable`. If `reftable` is missing, the stack is empty.
  ReftableStack(const std::string& git_dir, HashAlgorithm algorithm, FileSystem& fs);

  // Visits the records of a section from `key` on, in order, until `visit` returns false. Skips
  // deleted records. kCorrupt: the message names the damaged file.
  using Visitor = std::function<bool(const ReftableRecord&)>;
  Result<void> visit(ReftableSection section, std::string_view key, const Visitor& visit);

  // The list and its tables. The tables are included because a write into a table does not change
  // the list. Tables that have changed since they were opened are reopened at the next read.
  std::vector<std::string> files();

  // See RefBackend.
  void begin_reading() EXCLUDES(mutex_);
  void end_reading() EXCLUDES(mutex_);

  const std::string& directory() const { return directory_; }

 private:
  using Tables = std::vector<std::shared_ptr<const ReftableTable>>;
  struct Snapshot {
    std::optional<FileStat> stat;  // stat of the list; unset: not reliable
    std::string list;
    Tables tables;  // oldest first
  };

  Result<std::string> read_list();
  Result<std::vector<std::string>> paths_in(const std::string& list) const;
  Result<std::shared_ptr<const Snapshot>> snapshot() EXCLUDES(mutex_);
  Result<std::shared_ptr<const Snapshot>> look() REQUIRES(mutex_);
  void drop_others() REQUIRES(mutex_);
  // kNotFound: a table is missing.
  Result<Tables> open_tables(const std::string& list, const Tables& known);

  const std::string directory_;
  const HashAlgorithm algorithm_;
  FileSystem& fs_;

  Mutex mutex_;
  std::shared_ptr<const Snapshot> snapshot_ GUARDED_BY(mutex_);  // null: not read yet
  int readings_ GUARDED_BY(mutex_) = 0;
  bool is_of_reading_ GUARDED_BY(mutex_) = false;  // the current readings use snapshot_
};

}  // namespace resident
