// WorktreeEdits: changes tracked files of a worktree and undoes the changes.
//
// The files are spread evenly over the index, and differ for each `salt`. An edit appends a line in
// place: one open, one write, one close.
//
// Threads: one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "index/index.h"
#include "os/unique_fd.h"

namespace resident::bench {

class WorktreeEdits {
 public:
  static Result<WorktreeEdits> open(const std::string& worktree);

  // Paths of `count` regular files, or of all if there are fewer.
  std::vector<std::string> choose(const Index& index, size_t count, size_t salt) const;

  // No edit may be applied already.
  Result<void> apply(std::vector<std::string> paths);
  // Undoes all edits. Restores the contents, but not the stat data.
  Result<void> undo();

  int root() const { return root_.get(); }

 private:
  struct Edit {
    std::string path;
    int64_t size;
  };
  explicit WorktreeEdits(UniqueFd root) : root_(std::move(root)) {}

  UniqueFd root_;
  std::vector<Edit> applied_;
};

}  // namespace resident::bench
