// FilteredFiles: asks git about files with an external filter, and lets the tree compare them with
// the answers.
//
// Threads: the model's owner.
#pragma once

#include <functional>
#include <string>

#include "model/model_inputs.h"
#include "tree/worktree_tree.h"

namespace resident {

class FilteredFiles {
 public:
  using Counts = std::function<bool(const std::string& path)>;

  // All arguments outlive this object. `is_complete`: false while a scan of the tree is due.
  FilteredFiles(ModelInputs& inputs, WorktreeTree& tree, std::function<bool()> is_complete)
      : inputs_(inputs), tree_(tree), is_complete_(std::move(is_complete)) {}

  // Starts git for all open questions. Without background git, applies the answers.
  void ask();
  // Compares files again whose answers may be stale for the current question. `counts` selects the
  // files. True: the tree may have changed.
  bool compare_outdated(const Counts& counts);
  // kPending while git is asked about a file that `counts` selects. kUnsupported: a file keeps
  // changing while its filter runs.
  Result<void> check(const Counts& counts) const;
  // Call after attributes or filters changed.
  void compare_again();
  // Drops questions about paths that the index no longer has.
  void drop_removed();
  void drop_all() { inputs_.content.filters().drop_all(inputs_.git.tasks()); }
  // With ModelOptions::filters_told_as_git: git's output about the files. Null: git was not asked.
  const GitOutput* said() const { return inputs_.content.filters().said(); }

 private:
  void recheck(const std::string& path);

  ModelInputs& inputs_;
  WorktreeTree& tree_;
  const std::function<bool()> is_complete_;
};

}  // namespace resident
