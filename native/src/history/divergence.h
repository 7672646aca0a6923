// Divergence: how many commits a branch and its upstream have each for themselves, counted in
// steps.
//
// Threads: its owner's.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

#include "base/result.h"
#include "fs/file_system.h"
#include "odb/ahead_behind.h"

namespace resident {

// The commits at which history was cut off (see read_shallow_file()). kUnsupported where it is
// grafted: git has words for that.
Result<std::unordered_set<ObjectId>> read_shallow_if_plain(const ObjectDatabase& objects,
                                                           FileSystem& fs,
                                                           const std::string& common_dir);

class Divergence {
 public:
  // `objects` must outlive it. What it goes by besides, `common_dir`'s files "shallow" and
  // "info/grafts", is as of now. Fails as read_shallow_if_plain().
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
