// refresh: the state of an index entry's file by git's rules. It reads the content only if stat
// data are not enough.
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

// Location of a worktree file: `name` in an open directory; `name` may have slashes.
// `directory_path` is from the root, "" or ending in '/'.
struct FileRef {
  const Directory& directory;
  std::string_view name;
  std::string_view directory_path = {};

  std::string path() const { return std::string(directory_path).append(name); }
};

// Result of a comparison by content.
struct ContentMatch {
  bool same = false;
  // git writes to standard error during this comparison. Reasons are an invalid encoding, a bad
  // line in an attributes file, or a filter's own output.
  bool git_warns = false;
  // Time of reading, if the content was read before this comparison was requested.
  std::optional<Timestamp> read_at = {};
};

// Compares content if stat data are not enough. Called from any worker.
class ContentComparer {
 public:
  virtual ~ContentComparer() = default;
  // Compares the file, as git would store it, with the blob `id`. The caller just got `stat` from
  // lstat. The error kPending means that git must be asked; the file is examined again after the
  // answer.
  virtual Result<ContentMatch> compare(const FileRef& file, const FileStat& stat,
                                       const ObjectId& id) = 0;
  // has_pending(): whether any file is pending. forget_pending(): the file's state is known by
  // other means, so it is not pending any more.
  virtual bool has_pending() const { return false; }
  virtual void forget_pending(std::string_view) {}
};

// Cached result of a comparison by content, so that the same bytes are not read twice. It is valid
// while the file's stat data stay the same. The file must have been settled when it was read.
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
  // Not an aggregate: an aggregate would clear all its bytes for each file.
  Refreshed(EntryState what) : state(what) {}  // NOLINT: implicit
  Refreshed(EntryState what, std::optional<ComparedContent> read, std::optional<Error> failed)
      : state(what), compared(std::move(read)), problem(std::move(failed)) {}

  // Unknown: the comparison is pending, and the previous state stays valid.
  EntryState state;
  std::optional<ComparedContent> compared;  // content was read
  std::optional<Error> problem;
  // A directory replaces a tracked file. Its state can change by events below it.
  bool is_directory_at_file = false;
};

// `stat` is of the file at the entry's path; nullopt: it is missing.
Refreshed refresh_entry(const RefreshContext& context, uint32_t position, const FileRef& file,
                        const std::optional<FileStat>& stat);

}  // namespace resident
