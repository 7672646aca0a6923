// TreePoller: polls everything that can change without an event: directories without a complete
// watch, unreadable places, and files with several hard links.
//
// A poll first examines all directories without a change of the tree (verify_tree), then stores the
// results.
//
// Calls NameRechecker and TreeSweeper.
//
// Threads: the tree's owner.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "status/verify.h"
#include "tree/name_rechecker.h"
#include "tree/tree_sweeper.h"

namespace resident {

// Scope of a poll.
//   - With kNothing, no directory.
//   - With kRecent, directories with recent changes or hints.
//   - With kNames, also directories whose own stat changed, which shows added or removed names.
//   - With kEverything, all directories that need polling.
enum class PollScope : uint8_t { kNothing, kRecent, kNames, kEverything };

class TreePoller {
 public:
  // All arguments outlive this object.
  TreePoller(TreeState& state, NameRechecker& rechecker, TreeSweeper& sweeper)
      : state_(state), rechecker_(rechecker), sweeper_(sweeper) {}

  // Polls everything without a complete watch, per `scope` (not kNothing):
  //   - directories: stale ones are listed again, and the tracked files in them are examined;
  //   - entries below unreadable tracked directories, which are read if they have become readable;
  //   - paths that lstat could not examine before.
  // Also adds missing watches if the limit allows it. False: cancelled before any change of the
  // tree.
  bool poll(PollScope scope, const ScanControl& control);
  // Treats the directories of these files as places of recent changes.
  void prioritize(std::span<const std::string> paths);
  // A file with several hard links can be written through another link without an event. Rechecks
  // those whose stat changed. Beyond kMaxLinkedFiles, also moves the sweep on by that number of
  // looks. Also rechecks files below a symbolic link that replaces a directory.
  void poll_linked();

 private:
  bool poll_directories(PollScope scope, const ScanControl& control);
  std::optional<TreeWatches::Nodes> nodes_to_poll(PollScope scope, const TreeWatches::Nodes& recent,
                                                  const Directory& root,
                                                  const ScanControl& control);
  std::optional<TreeWatches::Nodes> polled_with_other_names(const Directory& root,
                                                            const ScanControl& control);
  void apply_polled(Verified&& verified, std::span<const EntryState> states);
  void poll_unreadable();
  void recheck_linked_files();
  void recheck_links_of(const std::set<uint32_t>& inodes);

  TreeState& state_;
  NameRechecker& rechecker_;
  TreeSweeper& sweeper_;
};

}  // namespace resident
