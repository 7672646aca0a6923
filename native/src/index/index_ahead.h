// IndexAhead: loads a large index from its probable path while git is asked for the real path. It
// is for a process that answers one question and ends. If the index is not in the page cache, the
// worktree is not either, and is read ahead meanwhile.
//
// Threads: one owner.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>

#include "fs/fast_file_access.h"
#include "fs/file_system.h"
#include "fs/mapped_file.h"
#include "index/index.h"
#include "parallel/beside.h"

namespace resident {

class IndexAhead {
 public:
  // Starts loading if `<git_dir>/index` is a file with many entries. `worktree` will be scanned as
  // a whole; empty if not. The destructor waits until loading has ended.
  IndexAhead(FileSystem& fs, const std::string& git_dir, const std::string& worktree = "");

  // The result of Index::load(), once. Null if that index was not loaded, or if the file has
  // changed since. Stops reading the worktree ahead.
  std::shared_ptr<Index> take(const std::string& path, const Index::LoadOptions& options);

  bool reads_worktree() const { return worktree_ != nullptr; }

 private:
  FileSystem& fs_;
  const std::string path_;
  const Index::LoadOptions options_;
  std::packaged_task<std::shared_ptr<Index>(MappedFile& read)> load_;
  std::future<std::shared_ptr<Index>> index_;  // valid until it is taken
  std::unique_ptr<ReadAhead> worktree_;
  std::optional<Beside> loading_;
};

}  // namespace resident
