// ReftableStack: the tables of one directory, newest over oldest. What a newer one says of a key
// hides what older ones say.
//
// The file tables.list names them, oldest first. Each change of a ref adds a table and replaces the
// list; now and then several are made one, and the old ones are removed. Tables stay open as long
// as the list names them.
//
// Source: git's Documentation/technical/reftable.
//
// Threads: all members may be called from any thread.
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
  // The list of the stack that a git directory has.
  static std::string list_in(const std::string& git_dir);

  // `git_dir` is where the directory `reftable` is; without one the stack is empty.
  ReftableStack(const std::string& git_dir, HashAlgorithm algorithm, FileSystem& fs);

  // The records of a section from `key` on, in order, without what is deleted, until `visit`
  // returns false. kCorrupt names the file that is damaged.
  using Visitor = std::function<bool(const ReftableRecord&)>;
  Result<void> visit(ReftableSection section, std::string_view key, const Visitor& visit);

  // The list, and the tables that it names: who writes to one of them in place does not touch the
  // list. Tables that are not what they were when they were opened are opened anew from now on.
  std::vector<std::string> files();

  // As RefBackend's.
  void begin_reading() EXCLUDES(mutex_);
  void end_reading() EXCLUDES(mutex_);

  const std::string& directory() const { return directory_; }

 private:
  using Tables = std::vector<std::shared_ptr<const ReftableTable>>;
  struct Snapshot {
    std::optional<FileStat> stat;  // of the list; unset: not to be relied on
    std::string list;
    Tables tables;  // oldest first
  };

  Result<std::string> read_list();
  Result<std::vector<std::string>> paths_in(const std::string& list) const;
  Result<std::shared_ptr<const Snapshot>> snapshot() EXCLUDES(mutex_);
  Result<std::shared_ptr<const Snapshot>> look() REQUIRES(mutex_);
  void drop_others() REQUIRES(mutex_);
  // kNotFound where a table is gone.
  Result<Tables> open_tables(const std::string& list, const Tables& known);

  const std::string directory_;
  const HashAlgorithm algorithm_;
  FileSystem& fs_;

  Mutex mutex_;
  std::shared_ptr<const Snapshot> snapshot_ GUARDED_BY(mutex_);  // null: not looked yet
  int readings_ GUARDED_BY(mutex_) = 0;
  bool is_of_reading_ GUARDED_BY(mutex_) = false;  // snapshot_ is what they read
};

}  // namespace resident
