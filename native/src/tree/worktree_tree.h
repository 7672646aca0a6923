// WorktreeTree: a model of the files on disk (TreeState), and the operations that change it. The
// header of each operation has the contracts.
//
// Each change of the model comes from examining the disk: a full scan, names that events marked, a
// new index, or new ignore rules. The differences are returned by consume_touched().
//
// Threads: one owner thread. A scan uses further threads inside the call.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tree/event_applier.h"
#include "tree/index_rebinder.h"
#include "tree/name_rechecker.h"
#include "tree/path_applier.h"
#include "tree/tree_poller.h"
#include "tree/tree_scanner.h"
#include "tree/tree_state.h"
#include "tree/tree_sweeper.h"

namespace resident {

class WorktreeTree {
 public:
  using Setup = TreeState::Setup;
  using Work = TreeState::Work;
  using ScanControl = resident::ScanControl;
  using SweepProgress = TreeSweeper::Progress;

  explicit WorktreeTree(Setup setup) : state_(std::move(setup)) {}
  const TreeState& state() const { return state_; }

  Result<void> scan(std::shared_ptr<const Index> index, const ExcludeRules& rules,
                    const WorktreeSettings& settings, const ScanControl& control) {
    return scanner_.scan(std::move(index), rules, settings, control);
  }
  Result<bool> rescan(const ScanControl& control) { return scanner_.rescan(control); }

  bool apply(const Batch& batch) {
    const bool all_seen = events_.apply(batch);
    return paths_.apply(batch.paths()) && all_seen;
  }
  bool recheck(std::string_view path) { return rechecker_.recheck_path(path); }
  void recheck_content(std::string_view path) { rechecker_.recheck_content(path); }
  void compare_again(std::string_view path) { rechecker_.compare_again(path); }
  void compare_all_again() { rechecker_.compare_all_again(); }
  void recheck_nested() { rechecker_.recheck_nested(); }
  void set_rules(const ExcludeRules& rules) { rechecker_.set_rules(rules); }

  void rebind(std::shared_ptr<const Index> index) { rebinder_.rebind(std::move(index)); }
  void renumber(const EntryMoves& moves) { rebinder_.renumber(moves); }
  void reconsider(const Index::Refreshed& refreshed, const Batch& to_apply) {
    rebinder_.reconsider(refreshed, to_apply);
  }

  bool poll(PollScope scope, const ScanControl& control) { return poller_.poll(scope, control); }
  void prioritize(std::span<const std::string> paths) { poller_.prioritize(paths); }
  void poll_linked() { poller_.poll_linked(); }
  bool sweep(uint64_t limit, const std::function<bool()>& interrupted = {}) {
    return sweeper_.sweep(limit, interrupted);
  }
  SweepProgress sweep_progress() const { return sweeper_.progress(); }

  // Each of these returns what the operations have collected, and clears it.
  Touched consume_touched() { return state_.consume_touched(); }
  bool consume_attributes_touched() { return std::exchange(state_.attributes_touched, false); }
  bool consume_rewritten_within_second() {
    return std::exchange(state_.rewritten_within_second, false);
  }
  std::vector<std::string> consume_problems() { return std::exchange(state_.problems, {}); }

 private:
  TreeState state_;
  NameRechecker rechecker_{state_};
  EventApplier events_{state_, rechecker_};
  PathApplier paths_{state_, rechecker_};
  IndexRebinder rebinder_{state_, rechecker_};
  TreeSweeper sweeper_{state_, rechecker_};
  TreePoller poller_{state_, rechecker_, sweeper_};
  TreeScanner scanner_{state_, rechecker_, sweeper_};
};

}  // namespace resident
