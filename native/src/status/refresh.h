// refresh: what an index entry's file is now, by git's rules: lstat first, content only where stat
// data cannot tell.
//
// Source: git's read-cache.c (refresh_cache_ent, ie_modified) and diff-lib.c (run_diff_files).
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "fs/file_system.h"
#include "index/index.h"
#include "status/entry_state.h"
#include "status/settings.h"

namespace resident {

// Where a worktree file lies: `name`, which may hold slashes, in the open directory, whose path
// from the root is "" or ends in '/'.
struct FileRef {
  const Directory& directory;
  std::string_view name;
  std::string_view directory_path = {};

  std::string path() const { return std::string(directory_path).append(name); }
};

// The outcome of a comparison by content.
struct ContentMatch {
  bool same = false;
  // On its way git says something on standard error (an encoding that does not fit, a line of an
  // attributes file that it refuses, a filter's own words).
  bool git_warns = false;
  // When it was read, where that was before the comparison was asked for.
  std::optional<Timestamp> read_at = {};
};

// Compares content where stat data cannot tell. Called from any worker.
class ContentComparer {
 public:
  virtual ~ContentComparer() = default;
  // Compares what git would store of the file (lstat just gave `stat`) with the blob `id`.
  // kPending: git is to be asked; once it has answered, the file is looked at again.
  virtual Result<ContentMatch> compare(const FileRef& file, const FileStat& stat,
                                       const ObjectId& id) = 0;
  // Whether anything is; and of a file whose state is known without it, that nothing is any more.
  virtual bool has_pending() const { return false; }
  virtual void forget_pending(std::string_view) {}
};

// The outcome of a comparison by content, cached so that the same bytes are not read twice. It is
// current while the file's stat data stay the same, if the file had settled when it was read.
struct ComparedContent {
  FileStat stat;
  Timestamp at;  // just before reading
  EntryState state;

  bool is_current(const FileStat& now) const {
    return stat == now && stat.mtime < at && stat.ctime < at;
  }
};
using ContentCache = std::unordered_map<uint32_t, ComparedContent>;  // by index position

struct RefreshContext {
  FileSystem& fs;
  const std::string& root;  // absolute path of the worktree
  const Index& index;
  const WorktreeSettings& settings;
  ContentComparer& content;
  const ContentCache& content_cache;
};

struct Refreshed {
  // No aggregate, all of whose bytes would be cleared for each file.
  Refreshed(EntryState what) : state(what) {}  // NOLINT: implicit
  Refreshed(EntryState what, std::optional<ComparedContent> read, std::optional<Error> failed)
      : state(what), compared(std::move(read)), problem(std::move(failed)) {}

  // Unknown: what it is now is pending, and it counts as it did before.
  EntryState state;
  std::optional<ComparedContent> compared;  // content was read
  std::optional<Error> problem;
  // A directory stands in place of a file: what it is can change below it.
  bool is_directory_at_file = false;
};

// `stat` is of what stands at the entry's path; nullopt: nothing does.
Refreshed refresh_entry(const RefreshContext& context, uint32_t position, const FileRef& file,
                        const std::optional<FileStat>& stat);

}  // namespace resident
