// TreeScanner: reads the whole worktree into the tree, or verifies the whole tree in place.
//
// A rescan first examines all directories without a change of the tree (verify_tree). Then each
// stale directory is watched and listed again, by the same steps as after an event. A directory
// still belongs to its watch if a new watch has the same id, or if its stat is the same (see
// verify_tree).
//
// Calls NameRechecker, and restarts TreeSweeper.
//
// Threads: the tree's owner. A scan uses further threads inside the call.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tree/name_rechecker.h"
#include "tree/tree_sweeper.h"

namespace resident {

class TreeScanner {
 public:
  // All arguments outlive this object.
  TreeScanner(TreeState& state, NameRechecker& rechecker, TreeSweeper& sweeper)
      : state_(state), rechecker_(rechecker), sweeper_(sweeper) {}

  // Reads everything. The old tree stays complete until the new tree is. It also stays if the scan
  // is cancelled (kCancelled) or the root cannot be opened.
  Result<void> scan(std::shared_ptr<const Index> index, const ExcludeRules& rules,
                    const WorktreeSettings& settings, const ScanControl& control);
  // The same, in place, for a tree that was scanned with this index and these settings. It does not
  // list unchanged directories. Each watch must be alive, unless its directory was removed. False:
  // nothing changed, and a full scan is cheaper.
  Result<bool> rescan(const ScanControl& control);

 private:
  bool can_rescan(const Directory& root) const;
  void read_again(const std::string& path);
  std::vector<LinkedFile> mounted_files(const Directory& root) const;
  void begin_new_results(const std::vector<LinkedFile>& mounted);
  void end_new_results();

  TreeState& state_;
  NameRechecker& rechecker_;
  TreeSweeper& sweeper_;
};

}  // namespace resident
