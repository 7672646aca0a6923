// scan_subtree: reads directories into nodes and refreshes their index entries, in parallel.
//
// Each directory is first watched, then listed, then its tracked files are examined; subdirectories
// are pushed as new tasks. The scan therefore sees each earlier change, and the watch reports each
// later change.
//
// It uses only relative system calls: one openat, fstat and listing for each directory, and one
// lstat for each tracked file in the listing. A tracked file that is not in the listing is absent;
// it needs no system call.
//
// A scan for one question does only the work that it needs:
//   - only tracked files: nothing is listed; one openat per directory of the index, one lstat per
//     tracked file;
//   - a limit: directories above its start are not listed, other directories outside it are not
//     opened;
//   - whether untracked files exist: an untracked directory is read only up to its first matching
//     file;
//   - once: no fstat of directories.
//
// New directories also cost one lstat for each untracked file.
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

// Required knowledge about untracked files. It is kAll with a watcher or with core.ignoreCase.
enum class UntrackedNeed : uint8_t {
  // None: only directories of the index are opened, and none is listed.
  kNone,
  // For each untracked directory, whether it has a file that is not ignored. The directory is read
  // in the order of its listing, like git does, up to the first such file.
  kFirst,
  kAll,
};

struct ScanContext {
  RefreshContext refresh;
  std::span<EntryState> states;  // one for each index entry; written for scanned entries
  const ExcludeRules& rules;
  const FoldedIndex* folded;   // set with core.ignoreCase, else null
  Watcher* watcher = nullptr;  // null: do not watch
  std::string git_dir;         // the directory that has this .git does not count as nested
  // Reads an index entry's content, for ignore files that are not checked out (skip-worktree).
  std::function<Result<std::string>(uint32_t position)> read_index_blob;
  unsigned threads = 1;
  std::atomic<uint64_t>* files_seen = nullptr;   // number of examined entries so far
  const std::atomic<bool>* cancelled = nullptr;  // true: stop early, with incomplete findings
  std::function<void()> tick;                    // called from time to time on the calling thread
  // Entries outside it count as clean. Directories that cannot lead into it are not entered.
  PathLimit limit = {};
  // Do not read the tree for paths: files are examined only for their link counts.
  bool watch_only = false;
  UntrackedNeed untracked = UntrackedNeed::kAll;
  // The tree is read only once, so stat data of directories are not recorded. Not together with a
  // watcher.
  bool once = false;
  // The scanned tree is new. Untracked files are examined too, because they may be new hard links
  // of known files. With a watcher this also happens in directories that changed since the scan
  // began.
  bool is_new = false;
};

// A tracked file with several hard links: it can change without an event.
struct LinkedFile {
  std::string path;
  FileStat stat;
  Timestamp at;  // before `stat` was taken
};
// Limit of such files: the keeper of a worktree cannot examine more of them at each question.
inline constexpr size_t kMaxLinkedFiles = 256;

struct ScanFindings {
  ContentCache compared;
  std::vector<std::pair<WatchId, DirectoryNode*>> watched;
  // Nodes with others(), and nested repositories: the only sources of untracked paths.
  std::vector<DirectoryNode*> with_others;
  // Nodes without has_nothing_to_list().
  std::vector<DirectoryNode*> with_something;
  // Directories without a watch because of the watch limit or an error.
  std::vector<DirectoryNode*> unwatched;
  // Directories without permission to list, so without a watch. The visible state of tracked files
  // in them can change without an event. If Watcher::tells_of_subdirectories() is false, their
  // permissions can change without an event too.
  std::vector<DirectoryNode*> unreadable;
  std::vector<LinkedFile> linked;  // at most kMaxLinkedFiles
  uint64_t more_linked = 0;        // number of further files
  // Inodes of new files with several links. Their other names must be rechecked.
  std::vector<uint64_t> new_links;
  // Sparse directories of the index that are on disk. They were not read: the index must be
  // expanded there first.
  std::vector<uint32_t> sparse;
  // Directories of the index that are replaced by something else on disk. The target of a symbolic
  // link can change without an event.
  std::vector<uint32_t> obstructed;
  // Tracked files that are replaced by a directory.
  std::vector<std::string> directories_at_files;
  // Unreadable files and directories, with the reason.
  std::vector<std::string> problems;
  // Work counts, for tests and for the log.
  uint64_t directories = 0;
  uint64_t lstats = 0;
  uint64_t contents_read = 0;
};

// Records the file if it has several links. `before` is a time before `stat` was taken.
void record_linked(ScanFindings& findings, const FileRef& file, const FileStat& stat,
                   Timestamp before);
void record_problem(ScanFindings& findings, const DirectoryNode& node, const Error& error);
void record_compared(ScanFindings& findings, const DirectoryNode& node, uint32_t position,
                     const Refreshed& refreshed);
// Records the result for an entry in the directory `node`.
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

// Reads `node` and everything below it. The caller sets its name, parent, index_directory and
// ignored; all other fields are replaced. `directory` is the node's open directory.
ScanFindings scan_subtree(const ScanContext& context, DirectoryNode& node, Directory directory);

}  // namespace resident
