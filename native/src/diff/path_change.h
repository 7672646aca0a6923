// PathChange: one path that differs between two sides (HEAD and index, or index and worktree), as
// git's diff machinery queues it.
#pragma once

#include <cstdint>
#include <string>

#include "hash/object_id.h"

namespace resident {

// git's MAX_SCORE: identical content.
inline constexpr int kMaxScore = 60000;

// The letter of a status line; kNone prints as '.' in porcelain v2 and ' ' in the others.
enum class Change : char {
  kNone = '.',
  kModified = 'M',
  kTypeChanged = 'T',
  kAdded = 'A',
  kDeleted = 'D',
  kRenamed = 'R',
  kCopied = 'C',
};

// One blob as one side of a comparison sees it; mode 0 and the null id where it does not exist.
struct Side {
  uint32_t mode = 0;  // as in git: 0100644 0100755 0120000 0160000
  ObjectId id;
  friend bool operator==(const Side&, const Side&) = default;
};

struct PathChange {
  std::string path;
  Change change = Change::kNone;
  Side before;  // of a rename or copy, its source's
  Side after;   // in the worktree, the null id where the content was not hashed
  // Of a rename or copy.
  std::string from;
  int score = 0;  // similarity, 0..kMaxScore

  // As status prints it.
  int percent() const { return score * 100 / kMaxScore; }
  friend bool operator==(const PathChange&, const PathChange&) = default;
};

// A path that is unmerged in the index.
struct UnmergedPath {
  std::string path;
  // In HEAD for HEAD against index; always absent for index against worktree.
  Side before;
  // Always absent for HEAD against index; the worktree's file (its id null) for index against
  // worktree.
  Side after;
  friend bool operator==(const UnmergedPath&, const UnmergedPath&) = default;
};

// The change from one side of a path to the other; kNone where both are equal.
Change change_between(const Side& before, const Side& after);

}  // namespace resident
