// Divergence: how many commits a branch and its upstream have each for themselves, counted in
// steps.
//
// Threads: its owner's.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "fs/file_system.h"
#include "odb/ahead_behind.h"

namespace resident {

class Divergence {
 public:
  // `objects` must outlive it. What it goes by besides, `common_dir`'s files "shallow" and
  // "info/grafts", is as of now. kUnsupported where history is grafted: git has words for that.
  static Result<std::unique_ptr<Divergence>> begin(const ObjectId& ours, const ObjectId& theirs,
                                                   ObjectDatabase& objects, FileSystem& fs,
                                                   const std::string& common_dir);

  // As AheadBehindWalk::step().
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
