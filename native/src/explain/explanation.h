// The facts that decide a path's status, before they are put in words.
//
// Paths are relative to the worktree's root, without a slash at the end. Rule files outside of the
// worktree have absolute paths.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diff/path_change.h"
#include "fs/file_stat.h"

namespace resident {

// A difference between a tracked file and the index.
enum class Difference : uint8_t {
  kDeleted,      // no file at the path
  kType,         // another type: file, symbolic link, repository
  kMode,         // executable bit
  kContent,      // other content, for none of the reasons below
  kEndOfLine,    // only line endings
  kConversion,   // the bytes equal the index's, but `ident` or an encoding would change them
  kFilter,       // the bytes equal the index's, but the external filter would change them
  kIntentToAdd,  // the index has no content yet
  kCommit,       // a submodule has another commit
  kModified,     // a submodule has changed tracked files
  kUntracked,    // a submodule has untracked files
  kUnreadable,   // it cannot be read
  kUnknown,      // only an external filter or git can tell
};

// The reason why the worktree file is not compared.
enum class Hidden : uint8_t {
  kAssumeUnchanged,
  kSkipWorktree,
  kSparseIndex,  // the index has only a directory above the file
};

// One stage of the path in the index.
struct ExplainedEntry {
  int stage = 0;
  Side side;
  bool assume_unchanged = false;
  bool skip_worktree = false;
  bool intent_to_add = false;
};

// The line of an ignore file that decides; the same as in git check-ignore -v.
struct ExplainedIgnore {
  std::string source;
  uint32_t line = 0;
  std::string pattern;  // verbatim
  bool negative = false;
  std::string at;  // the path that it matches: the requested one or a directory above
};

// The line of an attributes file that decides an attribute.
struct ExplainedAttribute {
  enum class Origin : uint8_t { kFile, kIndex, kBuiltIn };

  std::string name;
  std::string value;  // "set", "unset" or the value, like in git check-attr
  Origin origin = Origin::kFile;
  std::string source;
  uint32_t line = 0;
  std::string pattern;
  std::string macro;  // the macro that sets it; empty: set by name
};

// How git converts the file's bytes on the way into the index.
struct ExplainedConversion {
  std::string end_of_line;  // "text", "auto" or ""
  bool ident = false;
  std::string encoding;
  std::string filter;  // the driver of an external filter

  bool any() const { return ident || !end_of_line.empty() || !encoding.empty() || !filter.empty(); }
};

// Whether the sparse checkout includes the path.
struct ExplainedSparse {
  bool cone = false;
  bool included = false;
  uint32_t line = 0;  // deciding line of info/sparse-checkout; 0: none
  std::string pattern;
};

// The reason why git does not examine the path itself.
enum class Place : uint8_t {
  kOrdinary,
  kGitDirectory,      // at or below a ".git"
  kSubmodule,         // below a submodule, `place_at`
  kNestedRepository,  // at or below a repository that is not a submodule
  kBeyondLink,        // below a symbolic link
};

// The path's row in git status.
struct ExplainedRow {
  std::string index;     // X and Y of porcelain v2, one letter each
  std::string worktree;  // e.g. "M" and "."
  bool unmerged = false;
  std::string from;  // source of a rename or copy
  int score = 0;     // percent
};

struct Explanation {
  std::string path;                    // "" for the root
  FileKind kind = FileKind::kUnknown;  // type of the file at the path; kUnknown: no file
  std::string refusal;                 // why it is unreadable; else empty
  Place place = Place::kOrdinary;
  std::string place_at;
  std::optional<ExplainedRow> row;      // none: git status shows no tracked change
  bool untracked = false;               // git status shows it or a path below it as untracked
  bool ignored = false;                 // not tracked, and a rule ignores it
  std::vector<ExplainedEntry> entries;  // empty: not tracked
  uint64_t tracked_below = 0;           // number of entries below it
  std::optional<Side> head;
  std::vector<Difference> differences;  // index against worktree; also if hidden
  uint32_t worktree_mode = 0;           // the mode that git would store; 0: none
  std::vector<Hidden> hidden;
  std::optional<ExplainedIgnore> ignore;       // also for a tracked path, where it has no effect
  std::vector<ExplainedAttribute> attributes;  // sorted by name
  ExplainedConversion conversion;
  std::optional<ExplainedSparse> sparse;  // set if the checkout is sparse
};

}  // namespace resident
