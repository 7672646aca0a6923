// Rename and copy detection, as in `git status`: finds additions that are moved or copied files.
//
// Steps, in this order. Each step uses only the files that the steps before left.
//   1. Identical content (by id). Unused sources are preferred, then sources with the same
//      basename.
//   2. Without copies: pairs with a basename that is unique on both sides, if they are similar
//      enough (GitRules::prefers_unique_basenames).
//   3. All remaining pairs by similarity, with the best four candidates of each destination.
//
// Ties are decided by the order of paths, so the order of the input matters. The rules come from
// git's diffcore-rename.c. For a source with several users they come from diff_resolve_rename_copy
// in diff.c.
//
// Only changed files can be sources of copies. git status has no find-copies-harder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "diff/path_change.h"
#include "hash/object_id.h"

namespace resident {

enum class RenameMode : uint8_t { kOff, kRenames, kCopies };

struct RenameOptions {
  RenameMode mode = RenameMode::kRenames;
  // 0 to kMaxScore. 0: the default. kMaxScore: only identical content matches.
  int minimum_score = kMaxScore / 2;
  // status.renameLimit, else diff.renameLimit. If sources times destinations exceed its square,
  // step 3 is skipped. Zero or less: no limit.
  int limit = 1000;
  bool counts_incomplete_chunk = true;   // GitRules
  bool prefers_unique_basenames = true;  // GitRules
};

// Reads contents. `path` is the path on the requested side. A null id means the worktree's file, in
// the form that git would store.
struct ContentSource {
  std::function<Result<std::string>(const ObjectId& id, const std::string& path)> read;
  // Optional: reads only the size, if that is cheaper than the content.
  std::function<Result<uint64_t>(const ObjectId& id, const std::string& path)> size;
  // Optional: true or false if the attribute `diff` declares the path binary or text. nullopt: the
  // content decides.
  std::function<std::optional<bool>(const std::string& path)> is_binary;
};

struct RenameResult {
  std::vector<PathChange> changes;  // sorted by path
  bool limited = false;             // step 3 was skipped
  struct Work {
    size_t contents_read = 0;
    size_t pairs_compared = 0;  // by content
  } work;
};

// `changes` and `unmerged` must be sorted by path. Like in git, unmerged paths take part but are
// never shown as renamed. A path with a HEAD side can be a source of copies. A path with a worktree
// side can use up a source. A worktree path may be in both lists, because git also compares stage 2
// with the worktree.
//
// Fails if an object cannot be read. Fails with kUnsupported if only git can know how it would
// store a file. An unreadable worktree file is similar to no other file.
Result<RenameResult> detect_renames(std::vector<PathChange> changes,
                                    std::span<const UnmergedPath> unmerged,
                                    const RenameOptions& options, const ContentSource& source);

}  // namespace resident
