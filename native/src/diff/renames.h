// Rename and copy detection as `git status` does it: which additions are really moved or copied
// files.
//
// In this order, each step taking from what the one before left:
//   1. identical content (by id), preferring sources not used yet, then those of the same basename;
//   2. without copies: pairs whose basename is unique on both sides, if they are similar enough
//      (GitRules::prefers_unique_basenames);
//   3. all remaining pairs by similarity, the best four candidates of each destination.
// Ties go by the order of paths, so input order matters. Rules: git's diffcore-rename.c and, for
// what is shown of a source that is used more than once, diff_resolve_rename_copy in diff.c.
//
// Copies come from changed files only; git's find-copies-harder is no part of status.
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
  // 0..kMaxScore; 0 means the default, kMaxScore identical content only.
  int minimum_score = kMaxScore / 2;
  // status.renameLimit, else diff.renameLimit: past a matrix of its square, step 3 is left out.
  // Zero or less is no limit.
  int limit = 1000;
  bool counts_incomplete_chunk = true;   // GitRules
  bool prefers_unique_basenames = true;  // GitRules
};

// Where contents come from. `path` is that of the side asked about; a null id is the worktree's
// file, as git would store it.
struct ContentSource {
  std::function<Result<std::string>(const ObjectId& id, const std::string& path)> read;
  // Optional: the size alone, where it is cheaper than the content.
  std::function<Result<uint64_t>(const ObjectId& id, const std::string& path)> size;
  // Optional: whether the attribute `diff` declares the path binary (true) or text (false); nullopt
  // where the content decides.
  std::function<std::optional<bool>(const std::string& path)> is_binary;
};

struct RenameResult {
  std::vector<PathChange> changes;  // by path
  bool limited = false;             // step 3 was left out
  struct Work {
    size_t contents_read = 0;
    size_t pairs_compared = 0;  // by content
  } work;
};

// `changes` and `unmerged` are sorted by path. An unmerged path takes part as in git, although it
// is never shown as renamed: one with a HEAD side can be copied from, one with a worktree side can
// use up a source.
//
// A path of the worktree may be in both: git compares stage 2 with the worktree besides.
//
// Fails where an object cannot be read, or (kUnsupported) where only git can tell what it would
// store of a file. A worktree file that cannot be read resembles nothing.
Result<RenameResult> detect_renames(std::vector<PathChange> changes,
                                    std::span<const UnmergedPath> unmerged,
                                    const RenameOptions& options, const ContentSource& source);

}  // namespace resident
