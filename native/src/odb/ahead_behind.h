// How far two commits have diverged: what `git rev-list --left-right --count ours...theirs` counts.
//
// git walks from the newest commit to the oldest by their dates and stops where nothing new can
// come. Dates can lie. git bridges that with slack, which fails for the wildest of them, and then
// counts commits that both sides have. The same order, slack and stops are kept here, so that the
// numbers are git's in those cases too; where git is exact, so is this.
#pragma once

#include "base/result.h"
#include "hash/object_id.h"
#include "odb/commit_reader.h"

namespace resident {

struct AheadBehind {
  int ahead = 0;   // commits that only `ours` reaches
  int behind = 0;  // commits that only `theirs` reaches
  friend bool operator==(const AheadBehind&, const AheadBehind&) = default;
};

// Fails where a commit on the way cannot be read.
Result<AheadBehind> count_ahead_behind(CommitReader& commits, const ObjectId& ours,
                                       const ObjectId& theirs);

}  // namespace resident
