// BitmapCount: counts with bitmaps how far two commits have diverged, in steps.
//
// Each side walks from its tip and stops at the first commits that have a bitmap. The side reaches
// the commits of these bitmaps and the commits that it walked. AND-NOT of the two sides gives the
// counts. Dates are not used, so the counts are right even if dates are wrong.
//
// Threads: owner only.
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

  // `reader` must outlive the count.
  BitmapCount(CommitReader& reader, std::shared_ptr<const ReachabilityBitmaps> bitmaps,
              const ObjectId& ours, const ObjectId& theirs);

  // Continues the count. One unit of `work` takes about as long as reading one commit. nullopt:
  // `work` is used up. An error: the bitmaps are damaged, or the walk to them is too long; walk the
  // commits instead.
  Result<std::optional<Counts>> step(size_t work);

 private:
  // Limit of the commits that both sides walk before they meet bitmaps. Beyond it the plain walk is
  // faster.
  static constexpr size_t kMaxWalked = 20'000;

  struct Side {
    BitSet reached;  // bits of packed objects
    std::vector<ObjectId> pending;
    uint8_t paint = 0;
  };
  struct Passed {
    std::vector<ObjectId> parents;
    uint8_t reached_by = 0;
    bool is_packed = false;
  };

  // Visits one pending commit. Returns the work done.
  Result<size_t> visit(Side& side);
  Result<Counts> count() const;

  CommitReader& reader_;
  const std::shared_ptr<const ReachabilityBitmaps> bitmaps_;
  ReachabilityBitmaps::Verification verification_;
  std::array<Side, 2> sides_;
  std::unordered_map<ObjectId, Passed> passed_;
};

}  // namespace resident
