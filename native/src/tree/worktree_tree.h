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
#include "tree/tree_poller.h"
#include "tree/tree_state.h"
#include "tree/tree_sweeper.h"
#include "watch/watcher.h"

namespace resident {

class WorktreeTree {
 public:
  using Setup = TreeState::Setup;
  using Work = TreeState::Work;
  using ScanControl = resident::ScanControl;

  explicit WorktreeTree(Setup setup) : state_(std::move(setup)) {}
  const TreeState& state() const { return state_; }

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

  bool poll(PollScope scope, const ScanControl& control) { return poller_.poll(scope, control); }
  void prioritize(std::span<const std::string> paths) { poller_.prioritize(paths); }
  void poll_linked() { poller_.poll_linked(); }

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

  // Rescans.
  bool can_rescan(const Directory& root) const;
  void read_again(const std::string& path);

  TreeState state_;
  NameRechecker rechecker_{state_};
  EventApplier events_{state_, rechecker_};
  IndexRebinder rebinder_{state_, rechecker_};
  TreeSweeper sweeper_{state_, rechecker_};
  TreePoller poller_{state_, rechecker_, sweeper_};
};

}  // namespace resident
