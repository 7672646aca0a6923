// WorktreeTree: a model of the files on disk. It has the directory nodes, the state of each index
// entry, and the watches.
//
// Each change of the model comes from examining the disk: a full scan, names that events marked, a
// new index, or new ignore rules. The differences are returned by consume_touched().
//
// Its parts are EntryStates, UntrackedPaths, TreeWatches, LinkedFiles and SweepPosition, each with
// its own invariants.
//
// Invariant: states() has one known state for each index entry.
//
// Threads: one owner thread. A scan uses further threads inside the call.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "status/classify.h"
#include "status/examine.h"
#include "status/scan.h"
#include "status/verify.h"
#include "tree/change_journal.h"
#include "tree/entry_states.h"
#include "tree/linked_files.h"
#include "tree/recent_places.h"
#include "tree/sweep_position.h"
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

// Scope of a poll.
//   - With kNothing, no directory.
//   - With kRecent, directories with recent changes or hints.
//   - With kNames, also directories whose own stat changed, which shows added or removed names.
//   - With kEverything, all directories that need polling.
enum class PollScope : uint8_t { kNothing, kRecent, kNames, kEverything };

class WorktreeTree {
 public:
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

  explicit WorktreeTree(Setup setup)
      : setup_(std::move(setup)),
        entries_(setup_.content),
        watches_(setup_.fs, setup_.root, setup_.watcher) {}

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

  // Rechecks all names that events marked. Not for a desynced batch. False: a full scan is needed.
  bool apply(const Batch& batch);
  // Rechecks a name that may have changed without an event. `arrived`: read its directory again
  // even if its stat is the same.
  void look(DirectoryNode& node, std::string_view name, bool arrived);
  // The same by path. False: its directory is not in the tree.
  bool recheck(std::string_view path);
  // The same for a file whose content must be compared again. It does not report the file as a
  // changed attributes file.
  void recheck_content(std::string_view path);
  // The same, but first drops the cached comparison.
  void compare_again(std::string_view path);

  // Replaces the index. Unchanged entries keep their state; all others are rechecked. With
  // core.ignoreCase both must have the same paths; otherwise a scan is needed.
  void rebind(std::shared_ptr<const Index> index);
  // First step after the tree's index was refreshed; call it at once. From then on positions are
  // the new ones. Added entries count as missing.
  void renumber(const EntryMoves& moves);
  // Second step: rechecks added, removed and changed entries, but not the files that `to_apply`
  // marks.
  void reconsider(const Index::Refreshed& refreshed, const Batch& to_apply);
  // Sparse directories of the index that are on disk. Nothing below them is known until the index
  // is expanded there and passed to rebind().
  const std::set<uint32_t>& sparse_present() const { return sparse_present_; }
  // info/exclude or core.excludesFile changed.
  void set_rules(const ExcludeRules& rules);
  // Compares again all files that were compared by content, after a change of attributes or
  // filters.
  void forget_looks();
  // Rechecks directories that may have become, or ceased to be, nested repositories without an
  // event. Also rechecks repositories that may have got or lost their commit. Includes directories
  // in submodules.
  void recheck_nested();
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
  // linked(): paths of files with several links. linked_beyond(): number of those left to the
  // sweep.
  std::vector<std::string> linked() const { return links_.paths(); }
  uint64_t linked_beyond() const { return links_.beyond(); }

  // The sweep walks round the tree and searches for changes without an event. One call takes up to
  // `limit` looks (a directory or a file each). It stops earlier if `interrupted` (may be empty)
  // returns true, but always makes some progress. True: consume_touched() has data, or a round
  // has ended.
  bool sweep(uint64_t limit, const std::function<bool()>& interrupted = {});
  struct SweepProgress {
    uint64_t rounds = 0;  // completed rounds; a scan counts as a round
    uint64_t looks = 0;   // in the present round
    uint64_t expected = 0;
  };
  SweepProgress sweep_progress() const;
  // True while the scanned root is still the directory at its path.
  bool root_is_there() const;

  const Index& index() const { return *index_; }
  const DirectoryNode& top() const { return *top_; }
  DirectoryNode& top() { return *top_; }
  // The node of a directory, "" or ending in '/'; null if it has no node.
  DirectoryNode* find_node(std::string_view path) const;
  std::span<const EntryState> states() const { return entries_.all(); }
  const std::set<uint32_t>& changed_entries() const { return entries_.changed(); }
  const std::set<std::string>& untracked() const { return untracked_.all(); }
  bool is_ignored(std::string_view path, bool is_directory) const;

  Touched consume_touched();
  // Returns Touched::attributes and clears it.
  bool consume_attributes_touched() { return std::exchange(attributes_touched_, false); }
  // Returns and clears the flag: a file that is clean by its stat data was written within the
  // second that its index entry records.
  bool consume_rewritten_within_second() { return std::exchange(rewritten_within_second_, false); }
  std::vector<std::string> consume_problems() { return std::exchange(problems_, {}); }
  size_t watched() const { return watches_.count(); }
  // Numbers of directories that need polling, and of those without any watch.
  size_t polled() const { return watches_.polled(); }
  size_t unwatched() const { return watches_.unwatched(); }
  // Directories with a .git, without the root; no '/' at the end.
  std::vector<std::string> directories_with_dot_git() const;
  // Adds the files outside the watches that decide the state of a directory in place of a file.
  void add_files(std::vector<std::string>& files) const;
  // Something without a complete watch needs polling.
  bool polls() const {
    return polled() > 0 || !watches_.changed().empty() || has_untold() || !unseen_.empty();
  }
  // A hint asks for an early poll.
  bool is_hinted() const { return !watches_.hinted().empty(); }
  const Work& work() const { return work_; }

 private:
  // Contexts for examining files.
  RefreshContext refresh_context();
  ScanContext scan_context();
  NameRules name_rules() const { return {*index_, rules_, folded_.get()}; }

  // Storing results.
  void adopt(ScanFindings&& findings);
  std::vector<LinkedFile> mounted_files(const Directory& root) const;
  void record_mounted(std::vector<LinkedFile> files);
  void take(uint32_t position, const Refreshed& refreshed);
  void refresh(std::string_view path, uint32_t position, const std::optional<FileStat>& stat);
  void refresh_below(uint32_t index_directory);
  void mark_missing(uint32_t index_directory);
  void mark_submodule(const DirectoryNode& node);
  void count_untracked(DirectoryNode& node, bool listed);

  // Nodes.
  void read_subtree(DirectoryNode& node);
  void drop(DirectoryNode& parent, std::string_view name);
  void enter_directory(DirectoryNode& node, std::string_view name, bool arrived,
                       const FileStat& stat);
  void mark_unseen(DirectoryNode& node, std::string_view name);
  bool has_attributes(DirectoryNode& node) const;
  void reload_patterns(DirectoryNode& node);
  void reignore(DirectoryNode& node);

  // Rechecks.
  void recheck_unlisted(DirectoryNode& node, std::string_view name, bool arrived);
  void note(std::string_view path) const;
  bool is_as_indexed(std::string_view path) const;
  void mark_recent(WatchId watch);
  bool recheck_watched(WatchId watch, bool arrived);
  void recheck_directory(DirectoryNode& node);
  // Rechecks the node's name in its parent like a new name. The node may be deleted and replaced.
  void reread_directory(const DirectoryNode& node);
  bool recheck_names(DirectoryNode& node, const Directory& directory, bool arrived = false);
  void recheck_linked_files();
  void recheck_links_of(const std::set<uint32_t>& inodes);
  bool poll_directories(PollScope scope, const ScanControl& control);
  std::optional<TreeWatches::Nodes> polled_with_other_names(const Directory& root,
                                                            const ScanControl& control);
  void apply_polled(Verified&& verified, std::span<const EntryState> states);
  void recheck_now(const std::string& path);
  // Whether one of unreadable_ can change without an event.
  bool has_untold() const;
  void poll_unreadable();
  void recheck_directories_at_files();
  bool may_be_repository(const std::string& path) const;

  // Rescans.
  bool can_rescan(const Directory& root) const;
  void read_again(const std::string& path);

  // The sweep.
  struct Visit;
  void visit(DirectoryNode& node, Visit& visit);
  void visit_directory(DirectoryNode& node, Visit& visit);
  // A name and its kind in a listing; nullopt: the name is gone.
  using ListedName = std::pair<std::string, std::optional<FileKind>>;
  bool is_known_as(const DirectoryNode& node, const ListedName& listed) const;
  bool visit_names(DirectoryNode& node, const Directory& directory);
  void visit_entries(DirectoryNode& node, const Directory& directory, Visit& visit);
  void visit_rules(DirectoryNode& node, const std::string& name,
                   const std::optional<FileStat>& stat, Timestamp at);
  bool is_as_known(uint32_t position, const Refreshed& refreshed);

  // Index changes.
  struct Rebinding;
  size_t keep_same_entries(const Rebinding& from, uint32_t old_first, uint32_t old_end,
                           uint32_t new_first, uint32_t new_end);
  void rebind_directory(DirectoryNode& node, Rebinding& from, uint32_t new_directory);
  void record_conflicting(Rebinding& from) const;

  const Setup setup_;
  std::shared_ptr<const Index> index_;
  std::shared_ptr<const FoldedIndex> folded_;  // set with core.ignoreCase
  ExcludeRules rules_;
  WorktreeSettings settings_;

  std::unique_ptr<DirectoryNode> top_;
  EntryStates entries_;
  UntrackedPaths untracked_;
  TreeWatches watches_;
  LinkedFiles links_;
  SweepPosition sweep_;
  RecentPlaces recent_;  // changes found by polling, and prioritized files
  // Directories of the index.
  std::set<uint32_t> sparse_present_;
  std::set<uint32_t> obstructed_;               // replaced by something else on disk
  std::set<DirectoryNode*> unreadable_;         // see ScanFindings::unreadable; never the root
  std::set<std::string> unseen_;                // paths that lstat cannot examine
  std::set<std::string> directories_at_files_;  // tracked files replaced by a directory
  // Parts of Touched that are not collected by other members.
  bool ignore_rules_touched_ = false;
  bool attributes_touched_ = false;
  bool anything_touched_ = false;
  bool rewritten_within_second_ = false;
  bool looks_for_index_ = false;  // rechecks are for a new index, not for an event
  std::vector<std::string> problems_;
  Work work_;
};

}  // namespace resident
