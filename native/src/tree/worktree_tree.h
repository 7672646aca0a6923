// WorktreeTree: a model of the files on disk (TreeState), and the operations that change it.
//
// Each change of the model comes from examining the disk: a full scan, names that events marked, a
// new index, or new ignore rules. The differences are returned by consume_touched().
//
// Threads: one owner thread. A scan uses further threads inside the call.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "status/verify.h"
#include "tree/event_applier.h"
#include "tree/index_rebinder.h"
#include "tree/name_rechecker.h"
#include "tree/tree_state.h"
#include "tree/tree_sweeper.h"
#include "watch/watcher.h"

namespace resident {

// Scope of a poll.
//   - With kNothing, no directory.
//   - With kRecent, directories with recent changes or hints.
//   - With kNames, also directories whose own stat changed, which shows added or removed names.
//   - With kEverything, all directories that need polling.
enum class PollScope : uint8_t { kNothing, kRecent, kNames, kEverything };

class WorktreeTree {
 public:
  using Setup = TreeState::Setup;
  using Work = TreeState::Work;

  explicit WorktreeTree(Setup setup) : state_(std::move(setup)) {}
  const TreeState& state() const { return state_; }

  struct ScanControl {
    std::atomic<uint64_t>* files_seen = nullptr;
    const std::atomic<bool>* cancelled = nullptr;
    std::function<void()> tick = nullptr;  // called from time to time on the calling thread
    // Only watch: directories are read for their subdirectories, files are examined for their link
    // counts. Touched::anything reports all other changes.
    bool watch_only = false;
  };
  // Reads everything. The old tree stays complete until the new tree is. It also stays if the scan
  // is cancelled (kCancelled) or the root cannot be opened.
  Result<void> scan(std::shared_ptr<const Index> index, const ExcludeRules& rules,
                    const WorktreeSettings& settings, const ScanControl& control);

  // The same, in place, for a tree that was scanned with this index and these settings. It does not
  // list unchanged directories. Each watch must be alive, unless its directory was removed. False:
  // nothing changed, and a full scan is cheaper.
  Result<bool> rescan(const ScanControl& control);

  bool apply(const Batch& batch) { return events_.apply(batch); }
  bool recheck(std::string_view path) { return rechecker_.recheck_path(path); }
  void recheck_content(std::string_view path) { rechecker_.recheck_content(path); }
  void compare_again(std::string_view path) { rechecker_.compare_again(path); }
  void compare_all_again() { rechecker_.compare_all_again(); }
  void set_rules(const ExcludeRules& rules) { rechecker_.set_rules(rules); }
  void recheck_nested() { rechecker_.recheck_nested(); }

  void rebind(std::shared_ptr<const Index> index) { rebinder_.rebind(std::move(index)); }
  void renumber(const EntryMoves& moves) { rebinder_.renumber(moves); }
  void reconsider(const Index::Refreshed& refreshed, const Batch& to_apply) {
    rebinder_.reconsider(refreshed, to_apply);
  }

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
  using SweepProgress = TreeSweeper::Progress;
  bool sweep(uint64_t limit, const std::function<bool()>& interrupted = {}) {
    return sweeper_.sweep(limit, interrupted);
  }
  SweepProgress sweep_progress() const { return sweeper_.progress(); }

  Touched consume_touched() { return state_.consume_touched(); }
  // Returns Touched::attributes and clears it.
  bool consume_attributes_touched() { return std::exchange(state_.attributes_touched, false); }
  // Returns and clears the flag: a file that is clean by its stat data was written within the
  // second that its index entry records.
  bool consume_rewritten_within_second() {
    return std::exchange(state_.rewritten_within_second, false);
  }
  std::vector<std::string> consume_problems() { return std::exchange(state_.problems, {}); }

 private:
  // Storing results.
  std::vector<LinkedFile> mounted_files(const Directory& root) const;
  void record_mounted(std::vector<LinkedFile> files);

  // Rechecks.
  void recheck_linked_files();
  void recheck_links_of(const std::set<uint32_t>& inodes);
  bool poll_directories(PollScope scope, const ScanControl& control);
  std::optional<TreeWatches::Nodes> polled_with_other_names(const Directory& root,
                                                            const ScanControl& control);
  void apply_polled(Verified&& verified, std::span<const EntryState> states);
  void poll_unreadable();

  // Rescans.
  bool can_rescan(const Directory& root) const;
  void read_again(const std::string& path);

  TreeState state_;
  NameRechecker rechecker_{state_};
  EventApplier events_{state_, rechecker_};
  IndexRebinder rebinder_{state_, rechecker_};
  TreeSweeper sweeper_{state_, rechecker_};
};

}  // namespace resident
