// PathChange: one path that differs between two sides, like an entry of git's diff queue. The sides
// are HEAD and index, or index and worktree.
#pragma once

#include <cstdint>
#include <string>

#include "hash/object_id.h"

namespace resident {

// git's MAX_SCORE: identical content.
inline constexpr int kMaxScore = 60000;

// The letter in a status line. kNone is printed as '.' in porcelain v2 and as ' ' in other formats.
enum class Change : char {
  kNone = '.',
  kModified = 'M',
  kTypeChanged = 'T',
  kAdded = 'A',
  kDeleted = 'D',
  kRenamed = 'R',
  kCopied = 'C',
};

// A path's blob on one side. Mode 0 and the null id: the path does not exist there.
struct Side {
  uint32_t mode = 0;  // like git: 0100644 0100755 0120000 0160000
  ObjectId id;
  friend bool operator==(const Side&, const Side&) = default;
};

struct PathChange {
  std::string path;
  Change change = Change::kNone;
  Side before;  // for a rename or copy: the source's side
  Side after;   // in the worktree: null id if the content was not hashed
  // The source of a rename or copy.
  std::string from;
  int score = 0;  // similarity, 0 to kMaxScore

  // The similarity as status prints it.
  int percent() const { return score * 100 / kMaxScore; }
  friend bool operator==(const PathChange&, const PathChange&) = default;
};

// A path that is unmerged in the index.
struct UnmergedPath {
  std::string path;
  // HEAD's side for HEAD against index; always absent for index against worktree.
  Side before;
  // Always absent for HEAD against index. For index against worktree, the worktree's file, with a
  // null id.
  Side after;
  friend bool operator==(const UnmergedPath&, const UnmergedPath&) = default;
};

// The kind of the change from `before` to `after`. kNone: both are equal.
Change change_between(const Side& before, const Side& after);

}  // namespace resident
