// BitmapCount: how far two commits have diverged, counted by bitmaps, in steps.
//
// What a tip reaches is the bitmap of the first commits with one that a walk from it meets, and the
// commits that the walk passed on the way. The sides' commits are then counted by AND-NOT. Dates
// play no part in it: the numbers are true where dates are wrong, too.
//
// Threads: its owner's.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "odb/bit_set.h"
#include "odb/commit_reader.h"
#include "odb/reachability_bitmaps.h"

namespace resident {

class BitmapCount {
 public:
  struct Counts {
    size_t ahead = 0;
    size_t behind = 0;
  };

  // `reader` must outlive it.
  BitmapCount(CommitReader& reader, std::shared_ptr<const ReachabilityBitmaps> bitmaps,
              const ObjectId& ours, const ObjectId& theirs);

  // nullopt: `work` is used up; a unit of it is about as long as reading a commit takes. An error:
  // bitmaps cannot tell, or only by a walk that is too long, and the commits are to be walked.
  Result<std::optional<Counts>> step(size_t work);

 private:
  // Commits that one walk to bitmaps may pass; the rest is faster by the plain walk.
  static constexpr size_t kMaxWalked = 20'000;

  struct Side {
    BitSet reached;  // of the packs' objects
    std::vector<ObjectId> pending;
    uint8_t paint = 0;
  };
  struct Passed {
    std::vector<ObjectId> parents;
    uint8_t reached_by = 0;
    bool is_packed = false;
  };

  // How much work it was.
  Result<size_t> visit(Side& side);
  Result<Counts> count() const;

  CommitReader& reader_;
  const std::shared_ptr<const ReachabilityBitmaps> bitmaps_;
  ReachabilityBitmaps::Verification verification_;
  std::array<Side, 2> sides_;
  std::unordered_map<ObjectId, Passed> passed_;
};

}  // namespace resident
