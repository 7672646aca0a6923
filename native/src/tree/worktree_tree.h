// WorktreeTree: what is on disk, kept: the directory nodes, the state of every index entry, and the
// watches.
//
// Everything that changes it does so by looking at the disk: a full scan, the names that events
// marked, a new index, new ignore rules. What is different afterwards is collected in `touched()`.
//
// What is found is kept by its parts: EntryStates, UntrackedPaths, TreeWatches, LinkedFiles and
// SweepPosition, each with its invariants.
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

// What may differ from before, by path.
struct Touched {
  std::set<uint32_t> entries;             // positions whose state is another one
  std::map<std::string, bool> untracked;  // path (one by one) -> was it listed before
  std::set<uint32_t> submodules;          // positions of gitlinks below which something happened
  bool ignore_rules = false;
  bool attributes = false;  // a .gitattributes file
  bool anything = false;    // something happened in a tree that is watched only
};

// How much of what no watch tells of is looked at: nothing; where something was found lately, or a
// hint told of something; there and wherever a name came or went, which the directories' own stats
// tell; or all.
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
    // All that is ever asked about. Not together with a watcher.
    PathLimit limit = {};
    UntrackedNeed untracked = UntrackedNeed::kAll;
    bool once = false;  // ScanContext::once
    // Paths below the root at which something is mounted; null: that cannot be told.
    std::function<std::vector<std::string>()> mounted_below = {};
    // Is told of every name that is looked at; outlives this. Null: nobody asks.
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
    std::function<void()> tick = nullptr;  // called now and then on the calling thread
    // Only watch: directories are read for their subdirectories, files looked at for their links.
    // touched().anything tells of everything else.
    bool watch_only = false;
  };
  // Reads everything. The old tree stays whole until the new one is complete, and stands if the
  // scan is cancelled (kCancelled) or the root cannot be opened.
  Result<void> scan(std::shared_ptr<const Index> index, const ExcludeRules& rules,
                    const WorktreeSettings& settings, const ScanControl& control);

  // The same for a tree that was scanned with this index and these settings: in place, and without
  // listing what is as it was when it was last read. Every watch must be alive unless its directory
  // was removed. False, nothing changed: a full scan is cheaper.
  Result<bool> rescan(const ScanControl& control);

  // Looks at what was marked. Not for a desynced batch. False: a scan is due.
  bool apply(const Batch& batch);
  // Names in a directory that may have changed, without an event.
  void look(DirectoryNode& node, std::string_view name, bool arrived);
  // The same by path; false where its directory is not known.
  bool recheck(std::string_view path);
  // The same for a file that is compared again as it stands: what it says of attributes is known.
  void recheck_content(std::string_view path);
  // The same without what an earlier comparison found.
  void compare_again(std::string_view path);

  // Takes over a new index: entries that it has unchanged keep their state, the others are looked
  // at. With core.ignoreCase only where both have the same paths: else a scan is due.
  void rebind(std::shared_ptr<const Index> index);
  // The index that the tree has was refreshed. First, at once: positions are the new ones from now
  // on; entries that came count as missing.
  void renumber(const EntryMoves& moves);
  // Then looks at what came, went or is another entry, but for the files that `to_apply` marks.
  void reconsider(const Index::Refreshed& refreshed, const Batch& to_apply);
  // Sparse directories of the index that are on disk. Until the index is expanded there and taken
  // over, nothing below them is known.
  const std::set<uint32_t>& sparse_present() const { return sparse_present_; }
  // info/exclude or core.excludesFile changed.
  void set_rules(const ExcludeRules& rules);
  // Compares again what was compared by content (attributes or filters changed).
  void forget_looks();
  // Directories whose being a repository of their own, or one that has a commit, can change without
  // an event that is watched; those in submodules among them.
  void recheck_nested();
  // Looks at what no watch tells of, as far as `scope` says, which is not kNothing: at the
  // directories, which are listed where they are not as they were, and at the tracked files in
  // them; at the entries below tracked directories that may not be listed, which are read where
  // they may be by now; at what could not be looked at before. Directories that had no watch get
  // one where there are any to be had. False: it was cancelled before anything was taken in.
  bool poll(PollScope scope, const ScanControl& control);
  // The directories of these files count as such where something was found lately.
  void prioritize(std::span<const std::string> paths);
  // Files with several links can be written by another name: looks at those whose stat changed, and
  // where there are more than kMaxLinkedFiles, goes on with the sweep by as many. And looks at
  // what is seen through a symbolic link in the place of a directory.
  void poll_linked();
  // Those, and files with several links that are left to the sweep.
  std::vector<std::string> linked() const { return links_.paths(); }
  uint64_t linked_beyond() const { return links_.beyond(); }

  // The sweep goes round the tree and looks for what no event told. It takes up to `limit` looks (a
  // directory or a file each) further, less once `interrupted` (may be empty) says so, but always
  // gets somewhere. True where something is to be taken in: touched(), or a round has ended.
  bool sweep(uint64_t limit, const std::function<bool()>& interrupted = {});
  struct SweepProgress {
    uint64_t rounds = 0;  // that have ended; a scan is one too
    uint64_t looks = 0;   // in the one under way
    uint64_t expected = 0;
  };
  SweepProgress sweep_progress() const;
  // True while the root that was scanned is still the one at its path.
  bool root_is_there() const;

  const Index& index() const { return *index_; }
  const DirectoryNode& top() const { return *top_; }
  DirectoryNode& top() { return *top_; }
  // Of a directory, "" or ending in '/'; null where none is kept.
  DirectoryNode* find_node(std::string_view path) const;
  std::span<const EntryState> states() const { return entries_.all(); }
  const std::set<uint32_t>& changed_entries() const { return entries_.changed(); }
  const std::set<std::string>& untracked() const { return untracked_.all(); }
  bool is_ignored(std::string_view path, bool is_directory) const;

  Touched consume_touched();
  // touched().attributes, cleared.
  bool consume_attributes_touched() { return std::exchange(attributes_touched_, false); }
  // A file that counts as clean by its stat data alone was written, within the second that the
  // index has of it; cleared.
  bool consume_rewritten_within_second() { return std::exchange(rewritten_within_second_, false); }
  std::vector<std::string> consume_problems() { return std::exchange(problems_, {}); }
  size_t watched() const { return watches_.count(); }
  // Directories that are looked at without an event, and those of them for which no watch was left.
  size_t polled() const { return watches_.polled(); }
  size_t unwatched() const { return watches_.unwatched(); }
  // Directories with a .git in them, the root not among them; without a '/' at the end.
  std::vector<std::string> directories_with_dot_git() const;
  // Adds files outside of what is watched that tell what a directory in place of a file is.
  void add_files(std::vector<std::string>& files) const;
  // Something has to be looked at from time to time, since no watch tells of it.
  bool polls() const {
    return polled() > 0 || !watches_.changed().empty() || has_untold() || !unseen_.empty();
  }
  // And some of it soon, since a hint told of something there.
  bool is_hinted() const { return !watches_.hinted().empty(); }
  const Work& work() const { return work_; }

 private:
  // Contexts of looks.
  RefreshContext refresh_context();
  ScanContext scan_context();
  NameRules name_rules() const { return {*index_, rules_, folded_.get()}; }

  // What is found.
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

  // Looks.
  void recheck_unlisted(DirectoryNode& node, std::string_view name, bool arrived);
  void note(std::string_view path) const;
  bool is_as_indexed(std::string_view path) const;
  void mark_recent(WatchId watch);
  bool recheck_watched(WatchId watch, bool arrived);
  void recheck_directory(DirectoryNode& node);
  // At the node's name in its parent, as if it had just come: the node may be another one then.
  void reread_directory(const DirectoryNode& node);
  bool recheck_names(DirectoryNode& node, const Directory& directory, bool arrived = false);
  void recheck_linked_files();
  void recheck_links_of(const std::set<uint32_t>& inodes);
  bool poll_directories(PollScope scope, const ScanControl& control);
  std::optional<TreeWatches::Nodes> polled_with_other_names(const Directory& root,
                                                            const ScanControl& control);
  void apply_polled(Verified&& verified, std::span<const EntryState> states);
  void recheck_now(const std::string& path);
  // Whether one of the unreadable_ can change without an event.
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
  // A name, and what a listing says of it; nullopt: it has gone.
  using ListedName = std::pair<std::string, std::optional<FileKind>>;
  bool is_known_as(const DirectoryNode& node, const ListedName& listed) const;
  bool visit_names(DirectoryNode& node, const Directory& directory);
  void visit_entries(DirectoryNode& node, const Directory& directory, Visit& visit);
  void visit_rules(DirectoryNode& node, const std::string& name,
                   const std::optional<FileStat>& stat, Timestamp at);
  bool is_as_known(uint32_t position, const Refreshed& refreshed);

  // Another index.
  struct Rebinding;
  size_t keep_same_entries(const Rebinding& from, uint32_t old_first, uint32_t old_end,
                           uint32_t new_first, uint32_t new_end);
  void rebind_directory(DirectoryNode& node, Rebinding& from, uint32_t new_directory);
  void record_conflicting(Rebinding& from) const;

  const Setup setup_;
  std::shared_ptr<const Index> index_;
  std::shared_ptr<const FoldedIndex> folded_;  // with core.ignoreCase
  ExcludeRules rules_;
  WorktreeSettings settings_;

  std::unique_ptr<DirectoryNode> top_;
  EntryStates entries_;
  UntrackedPaths untracked_;
  TreeWatches watches_;
  LinkedFiles links_;
  SweepPosition sweep_;
  RecentPlaces recent_;  // where polling found something
  // Directories of the index.
  std::set<uint32_t> sparse_present_;
  std::set<uint32_t> obstructed_;               // in whose place something else stands
  std::set<DirectoryNode*> unreadable_;         // as ScanFindings has them, but the root
  std::set<std::string> unseen_;                // paths of which not even lstat tells anything
  std::set<std::string> directories_at_files_;  // paths of tracked files where a directory stood
  // Touched, but for what the parts collect.
  bool ignore_rules_touched_ = false;
  bool attributes_touched_ = false;
  bool anything_touched_ = false;
  bool rewritten_within_second_ = false;
  bool looks_for_index_ = false;  // not because something happened on disk
  std::vector<std::string> problems_;
  Work work_;
};

}  // namespace resident
