// IndexAhead: a large index, loaded from where it probably is while git is asked where it is, for a
// process that answers one question and ends. Where it comes from the disk, so will the worktree:
// that is read ahead meanwhile.
//
// Threads: one owner.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>

#include "base/beside.h"
#include "fs/linux/tree_read_ahead.h"
#include "fs/mapped_file.h"
#include "index/index.h"

namespace resident {

class IndexAhead {
 public:
  // Begins, where there is a file with many entries at `<git_dir>/index`. `worktree` is what will
  // be looked at as a whole; empty where nothing is. Whoever lets go of this waits for the index's
  // end.
  explicit IndexAhead(const std::string& git_dir, const std::string& worktree = "");

  // What Index::load() would give now, once; null where that was not loaded, or is another by now.
  // The worktree is read no further.
  std::shared_ptr<Index> take(const std::string& path, const Index::LoadOptions& options);

  bool reads_worktree() const { return worktree_.has_value(); }

 private:
  const std::string path_;
  const Index::LoadOptions options_;
  std::packaged_task<std::shared_ptr<Index>(MappedFile& read)> load_;
  std::future<std::shared_ptr<Index>> index_;  // until it is taken
  std::optional<TreeReadAhead> worktree_;
  std::optional<Beside> loading_;
};

}  // namespace resident
