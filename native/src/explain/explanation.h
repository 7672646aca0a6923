// Why a path stands in the status as it does: facts, before anybody puts them in words.
//
// Paths are relative to the worktree's root, without a slash at the end; those of files with rules
// are absolute where they lie outside of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diff/path_change.h"
#include "fs/file_stat.h"

namespace resident {

// What of a tracked file is not as the index has it.
enum class Difference : uint8_t {
  kDeleted,      // nothing stands there
  kType,         // file, symbolic link, repository: another one of these
  kMode,         // executable or not
  kContent,      // none of the next ones
  kEndOfLine,    // the ends of lines alone
  kConversion,   // the bytes are the index's; `ident` or an encoding would make others of them
  kFilter,       // the bytes are the index's; the external filter would make others of them
  kIntentToAdd,  // the index has no content yet
  kCommit,       // a submodule: another commit,
  kModified,     // changes to its tracked files,
  kUntracked,    // untracked files in it
  kUnreadable,   // it cannot be read
  kUnknown,      // only an external filter, or git, can tell
};

// Why the worktree is not compared.
enum class Hidden : uint8_t {
  kAssumeUnchanged,
  kSkipWorktree,
  kSparseIndex,  // the index has a directory above, not the file
};

// One of the index's stages of the path.
struct ExplainedEntry {
  int stage = 0;
  Side side;
  bool assume_unchanged = false;
  bool skip_worktree = false;
  bool intent_to_add = false;
};

// The line of an ignore file that decides; git check-ignore -v tells the same.
struct ExplainedIgnore {
  std::string source;
  uint32_t line = 0;
  std::string pattern;  // as written
  bool negative = false;
  std::string at;  // the path that it matches: the one asked about, or a directory above
};

// The line of an attributes file that decides an attribute.
struct ExplainedAttribute {
  enum class Origin : uint8_t { kFile, kIndex, kBuiltIn };

  std::string name;
  std::string value;  // "set", "unset" or the value, as git check-attr has it
  Origin origin = Origin::kFile;
  std::string source;
  uint32_t line = 0;
  std::string pattern;
  std::string macro;  // through which it does; empty: by its name
};

// What git does to the file's bytes on their way into the index.
struct ExplainedConversion {
  std::string end_of_line;  // "text", "auto" or ""
  bool ident = false;
  std::string encoding;
  std::string filter;  // of an external one, the driver

  bool any() const { return ident || !end_of_line.empty() || !encoding.empty() || !filter.empty(); }
};

// Whether the sparse checkout has the path.
struct ExplainedSparse {
  bool cone = false;
  bool included = false;
  uint32_t line = 0;  // of info/sparse-checkout, which decides; 0: none does
  std::string pattern;
};

// What keeps git from looking at the path itself.
enum class Place : uint8_t {
  kOrdinary,
  kGitDirectory,      // at or below a ".git"
  kSubmodule,         // below a submodule, `place_at`
  kNestedRepository,  // at or below a repository that is none of this one's
  kBeyondLink,        // below a symbolic link
};

// The path's row in git status.
struct ExplainedRow {
  std::string index;     // X and Y of porcelain v2, one letter each
  std::string worktree;  // e.g. "M" and "."
  bool unmerged = false;
  std::string from;  // of a rename or copy
  int score = 0;     // percent
};

struct Explanation {
  std::string path;                    // "" for the root
  FileKind kind = FileKind::kUnknown;  // of what stands there; kUnknown: nothing
  std::string refusal;                 // why it cannot be seen; else empty
  Place place = Place::kOrdinary;
  std::string place_at;
  std::optional<ExplainedRow> row;      // none: git status shows no tracked change
  bool untracked = false;               // git status shows it, or something below it, as untracked
  bool ignored = false;                 // not tracked, and a rule says so
  std::vector<ExplainedEntry> entries;  // none: not tracked
  uint64_t tracked_below = 0;           // entries below it
  std::optional<Side> head;
  std::vector<Difference> differences;  // index and worktree; what is hidden too
  uint32_t worktree_mode = 0;           // as git would store it; 0: none
  std::vector<Hidden> hidden;
  std::optional<ExplainedIgnore> ignore;       // also of a tracked path, which it does not concern
  std::vector<ExplainedAttribute> attributes;  // by name
  ExplainedConversion conversion;
  std::optional<ExplainedSparse> sparse;  // where the checkout is sparse
};

}  // namespace resident
