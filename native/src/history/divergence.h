// Divergence: counts the commits that only a branch has, and those that only its upstream has.
// Works in steps.
//
// Threads: only the owner's.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

#include "base/result.h"
#include "fs/file_system.h"
#include "odb/ahead_behind.h"

namespace resident {

// Returns the commits at which the history is cut off: see read_shallow_file(). Fails with
// kUnsupported if the history has grafts, because git warns about them.
Result<std::unordered_set<ObjectId>> read_shallow_if_plain(const ObjectDatabase& objects,
                                                           FileSystem& fs,
                                                           const std::string& common_dir);

class Divergence {
 public:
  // `objects` must outlive the result. The files "shallow" and "info/grafts" of `common_dir` are
  // read now, not later. Has the errors of read_shallow_if_plain().
  static Result<std::unique_ptr<Divergence>> begin(const ObjectId& ours, const ObjectId& theirs,
                                                   ObjectDatabase& objects, FileSystem& fs,
                                                   const std::string& common_dir);

  // See AheadBehindWalk::step().
  Result<std::optional<AheadBehind>> step(const AheadBehindWalk::Budget& budget) {
    return walk_.step(budget);
  }

 private:
  Divergence(ObjectDatabase& objects, std::unordered_set<ObjectId> shallow, const ObjectId& ours,
             const ObjectId& theirs)
      : reader_(objects, std::move(shallow)), walk_(reader_, ours, theirs) {}

  StoredCommitReader reader_;
  AheadBehindWalk walk_;
};

}  // namespace resident
