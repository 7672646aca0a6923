// TreeState: the resident model of the files on disk. It has the directory nodes, the state of each
// index entry, the untracked paths and the watches.
//
// Its parts are public, and each keeps its own invariants. The functions here keep the parts
// consistent with each other. Only the operations of a WorktreeTree change a TreeState; everybody
// else has a const one. An operation keeps its own data itself.
//
// Each operation calls only NameRechecker, except where noted:
//   - NameRechecker examines one name on disk and stores the result. It calls no operation.
//   - EventApplier rechecks the names that events marked.
//   - PathApplier rechecks the paths that a recursive watcher marked.
//   - IndexRebinder replaces the index and rechecks the entries that differ.
//   - TreeSweeper walks round the tree and searches for changes without an event.
//   - TreePoller polls everything without a complete watch. It also calls TreeSweeper.
//   - TreeScanner reads everything, or verifies everything in place. It also calls TreeSweeper.
//
// Invariants: `entries` has one known state for each entry of `index`. All pointers to nodes point
// to nodes below `top`.
//
// Threads: one owner thread. A scan uses further threads inside the call.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "status/classify.h"
#include "status/scan.h"
#include "tree/change_journal.h"
#include "tree/entry_states.h"
#include "tree/linked_files.h"
#include "tree/recent_places.h"
#include "tree/tree_watches.h"
#include "tree/untracked_paths.h"
#include "watch/watcher.h"

namespace resident {

// Possible differences from the previous state, by path.
struct Touched {
  std::set<uint32_t> entries;             // positions whose state or content may differ
  std::map<std::string, bool> untracked;  // each path -> whether it was listed before
  std::set<uint32_t> submodules;          // positions of gitlinks with an event below them
  bool ignore_rules = false;
  bool attributes = false;  // a .gitattributes file
  bool anything = false;    // an event in a tree that is only watched
};

// Progress and cancellation of a call that reads much.
struct ScanControl {
  std::atomic<uint64_t>* files_seen = nullptr;
  const std::atomic<bool>* cancelled = nullptr;
  std::function<void()> tick = nullptr;  // called from time to time on the calling thread
  // Only watch: directories are read for their subdirectories, files are examined for their link
  // counts. Touched::anything reports all other changes.
  bool watch_only = false;
};

struct TreeState {
  struct Setup {
    FileSystem& fs;
    std::string root;     // absolute
    std::string git_dir;  // absolute
    Watcher* watcher;     // null: nothing is watched
    ContentComparer& content;
    unsigned threads;
    std::function<Result<std::string>(const Index&, uint32_t position)> read_index_blob;
    // Limit of all questions. Not together with a watcher.
    PathLimit limit = {};
    UntrackedNeed untracked = UntrackedNeed::kAll;
    bool once = false;  // see ScanContext::once
    // Returns the paths of mounts below the root; null: unknown.
    std::function<std::vector<std::string>()> mounted_below = {};
    // Gets each name that is rechecked. Outlives this object. Null: no journal.
    ChangeJournal* journal = nullptr;
  };
  struct Work {
    uint64_t directories = 0;
    uint64_t lstats = 0;
    uint64_t contents_read = 0;
  };

  explicit TreeState(Setup with)
      : setup(std::move(with)),
        entries(setup.content),
        watches(setup.fs, setup.root, setup.watcher) {}
  // The parts and the operations refer to it.
  TreeState(const TreeState&) = delete;

  const Setup setup;

  // --- Inputs; set by the first scan
  std::shared_ptr<const Index> index;
  std::shared_ptr<const FoldedIndex> folded;  // set with core.ignoreCase
  ExcludeRules rules;
  WorktreeSettings settings;

  // --- The tree
  std::unique_ptr<DirectoryNode> top;
  EntryStates entries;
  UntrackedPaths untracked;
  TreeWatches watches;
  LinkedFiles links;
  RecentPlaces recent;  // found changes, and prioritized files
  // Sparse directories of the index that are on disk. Nothing below them is known until the index
  // is expanded there and the tree rebound to it.
  std::set<uint32_t> sparse_present;

  // --- Places that can change without an event
  std::set<uint32_t> obstructed;               // index directories replaced by something else
  std::set<DirectoryNode*> unreadable;         // see ScanFindings::unreadable; never the root
  std::set<std::string> unseen;                // paths that lstat cannot examine
  std::set<std::string> directories_at_files;  // tracked files replaced by a directory

  // --- Collected for the owner of the tree; `entries` and `untracked` collect the rest of Touched
  bool ignore_rules_touched = false;
  bool attributes_touched = false;
  bool anything_touched = false;
  // A file that is clean by its stat data was written within the second that its index entry
  // records.
  bool rewritten_within_second = false;
  std::vector<std::string> problems;
  Work work;

  // --- Reading

  // The node of a directory, "" or ending in '/'; null if it has no node.
  DirectoryNode* find_node(std::string_view path) const;
  bool is_ignored(std::string_view path, bool is_directory) const;
  // True while the scanned root is still the directory at its path.
  bool root_is_there() const;
  // Something without a complete watch needs polling.
  bool polls() const;
  // The directory at the path of a tracked file may be a repository.
  bool may_be_repository(const std::string& path) const;
  // Adds the files outside the watches that decide the state of a directory in place of a file.
  void add_files(std::vector<std::string>& files) const;

  // --- Contexts for examining files

  RefreshContext refresh_context() const;
  ScanContext scan_context();
  NameRules name_rules() const { return {*index, rules, folded.get()}; }

  // --- Storing results

  void adopt(ScanFindings&& findings);
  // Refreshes all stages of the path at `position`.
  void refresh(std::string_view path, uint32_t position, const std::optional<FileStat>& stat);
  // Calls lstat for each entry, in directories that cannot be read.
  void refresh_below(uint32_t index_directory);
  void mark_missing(uint32_t index_directory);
  // Something changed in the submodule of `node`, or in a tree that is only watched.
  void mark_submodule(const DirectoryNode& node);
  // See ChangeJournal::note.
  void record_in_journal(std::string_view path) const;
  // True: one of the members that are collected for the owner is set, or sparse_present.
  bool has_collected() const;
  Touched consume_touched();

 private:
  void take(uint32_t position, const Refreshed& refreshed);
};

}  // namespace resident
