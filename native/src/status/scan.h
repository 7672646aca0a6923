// scan_subtree: reads directories into nodes and refreshes the index entries that lie in them, in
// parallel.
//
// Each directory is watched, then listed, then its tracked files are looked at; directories found
// go back on the stack. So nothing that happens after a directory was read goes unnoticed, and
// nothing that happened before is missed.
//
// Only relative system calls: one openat, fstat and listing per directory, one lstat per tracked
// file that the listing has. Tracked files that the listing lacks are absent without asking.
//
// A scan for one question looks at what that asks for:
//   - tracked files alone: nothing is listed; one openat per directory of the index, one lstat per
//     tracked file;
//   - a limit: the directories above its start are not listed, others that are outside not opened;
//   - whether there is anything untracked: an untracked directory is left with its first file that
//     counts, and not listed to its end;
//   - once: no fstat of directories.
//
// One lstat for each untracked file in addition, where what is read is new.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "diff/path_limit.h"
#include "index/folded_index.h"
#include "status/directory_node.h"
#include "status/exclude_rules.h"
#include "status/refresh.h"

namespace resident {

// What is asked about untracked files. With a watcher, and with core.ignoreCase, it is kAll.
enum class UntrackedNeed : uint8_t {
  // Nothing: the directories are those of the index, and none is listed.
  kNone,
  // Of each untracked directory whether there is a file in it that is not ignored: it is read as
  // git reads it, in the order of its listing, up to the first.
  kFirst,
  kAll,
};

struct ScanContext {
  RefreshContext refresh;
  std::span<EntryState> states;  // one for each index entry; written for the entries scanned
  const ExcludeRules& rules;
  const FoldedIndex* folded;   // with core.ignoreCase, else null
  Watcher* watcher = nullptr;  // null: do not watch
  std::string git_dir;         // a directory whose .git this is does not count as nested
  // The content of an index entry, for ignore files that are not checked out (skip-worktree).
  std::function<Result<std::string>(uint32_t position)> read_index_blob;
  unsigned threads = 1;
  std::atomic<uint64_t>* files_seen = nullptr;   // counted up as entries are looked at
  const std::atomic<bool>* cancelled = nullptr;  // set: stop early; what was found is incomplete
  std::function<void()> tick;                    // called now and then on the calling thread
  // Entries without count as clean, and directories that are not on the way are not entered.
  PathLimit limit = {};
  // Nothing in the tree is read for paths: files are looked at for their links only.
  bool watch_only = false;
  UntrackedNeed untracked = UntrackedNeed::kAll;
  // Nothing is looked at again: no stat data of directories are noted. Not together with a watcher.
  bool once = false;
  // What is read has just come to be there: untracked files are looked at, too, for whether they
  // are new names of a file. With a watcher that is also done in directories that changed since the
  // scan began.
  bool is_new = false;
};

// A tracked file with more than one link: it can change without an event.
struct LinkedFile {
  std::string path;
  FileStat stat;
  Timestamp at;  // before `stat` was asked for
};
// Where there are more of them, who keeps a worktree cannot look at each with every question.
inline constexpr size_t kMaxLinkedFiles = 256;

struct ScanFindings {
  ContentCache compared;
  std::vector<std::pair<WatchId, DirectoryNode*>> watched;
  // Those with others(), and nested repositories: all that untracked paths come from.
  std::vector<DirectoryNode*> with_others;
  // Those of which it is not supposed that there is nothing to list at or below them.
  std::vector<DirectoryNode*> with_something;
  // Directories for which the watch limit left no watch.
  std::vector<DirectoryNode*> unwatched;
  // Directories that may not be listed, hence not watched: what is seen of a tracked one's files
  // can change without an event, and where Watcher::tells_of_subdirectories() is false, that any of
  // them may be listed.
  std::vector<DirectoryNode*> unreadable;
  std::vector<LinkedFile> linked;  // no more of them than kMaxLinkedFiles
  uint64_t more_linked = 0;        // how many more there are
  // With several links, in what is new: their other names are to be looked at.
  std::vector<uint64_t> new_links;
  // Sparse directories of the index that are on disk. They were not read: the index is to be
  // expanded there.
  std::vector<uint32_t> sparse;
  // Directories of the index in whose place something else stands. What a symbolic link leads to
  // can change without an event.
  std::vector<uint32_t> obstructed;
  // Tracked files in whose place a directory stands.
  std::vector<std::string> directories_at_files;
  // Files and directories that could not be read, with the reason.
  std::vector<std::string> problems;
  // Work done, for tests and for the log.
  uint64_t directories = 0;
  uint64_t lstats = 0;
  uint64_t contents_read = 0;
};

// Where the file has several links; `before` is when `stat` was not yet asked for.
void record_linked(ScanFindings& findings, const FileRef& file, const FileStat& stat,
                   Timestamp before);
void record_problem(ScanFindings& findings, const DirectoryNode& node, const Error& error);
void record_compared(ScanFindings& findings, const DirectoryNode& node, uint32_t position,
                     const Refreshed& refreshed);
// What was found of an entry in the directory `node`.
inline void record_refreshed(const ScanContext& context, ScanFindings& findings,
                             const DirectoryNode& node, uint32_t position,
                             const Refreshed& refreshed) {
  context.states[position] = refreshed.state;
  if (refreshed.compared || refreshed.problem) record_compared(findings, node, position, refreshed);
  if (refreshed.is_directory_at_file) {
    findings.directories_at_files.push_back(context.refresh.index.path(position));
  }
}
void merge(ScanFindings& into, ScanFindings&& from);

// Reads `node` and everything below it. Its name, parent, index_directory and ignored are set by
// the caller; the rest is replaced. `directory` is the node's, open.
ScanFindings scan_subtree(const ScanContext& context, DirectoryNode& node, Directory directory);

}  // namespace resident
