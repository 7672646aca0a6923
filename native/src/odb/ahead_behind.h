// AheadBehindWalk: counts how far two commits have diverged. Equals the output of
// `git rev-list --left-right --count ours...theirs`.
//
// One walk visits each commit once, in the order of CommitOrder. The highest generation comes first
// (see commit_graph.h), then the newest date. It marks each commit with the sides that reach it. It
// stops when only commits that both sides reach are left.
//
// The count is exact if all generations come from a commit-graph. Without generations, it is exact
// if no visited commit is older than its parent. In both cases git itself orders by dates. It uses
// slack against wrong dates, which does not always suffice. When our walk meets a parent newer than
// its child, it runs git's own two walks (merge_bases.h, side_count.h). The numbers are then the
// same as git's.
//
// Without a commit-graph, a long walk switches to bitmaps if the repository has any
// (bitmap_count.h). Bitmaps do not depend on dates. Their number is the true one. git's number can
// differ if a wrong date lies beyond the part that we walked.
//
// Threads: owner only.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

#include "base/result.h"
#include "hash/object_id.h"
#include "odb/bitmap_count.h"
#include "odb/commit_queue.h"
#include "odb/commit_reader.h"
#include "odb/commit_table.h"

namespace resident {

struct AheadBehind {
  int ahead = 0;   // commits that only `ours` reaches
  int behind = 0;  // commits that only `theirs` reaches
  friend bool operator==(const AheadBehind&, const AheadBehind&) = default;
};

// A count that runs in steps.
class AheadBehindWalk {
 public:
  // Commits to visit before the switch to bitmaps. Opening bitmaps takes about as long as these
  // visits.
  static constexpr size_t kVisitsBeforeBitmaps = 1000;

  // `reader` must outlive the walk.
  AheadBehindWalk(CommitReader& reader, const ObjectId& ours, const ObjectId& theirs,
                  size_t visits_before_bitmaps = kVisitsBeforeBitmaps);

  // Limits of one step: visited commits, and commit objects read. Reading a commit object is
  // several times slower than a lookup in the commit-graph.
  static constexpr size_t kUnlimited = std::numeric_limits<size_t>::max();
  struct Budget {
    size_t visits = kUnlimited;
    size_t reads = kUnlimited;
  };
  // Continues the count. nullopt: the budget is used up; call step() again. Do not call it again
  // after a result or an error. Fails if a commit that the walk needs cannot be read. kUnsupported:
  // only git can answer.
  Result<std::optional<AheadBehind>> step(const Budget& budget);
  bool counted_by_bitmaps() const { return by_bitmaps_ != nullptr; }

 private:
  using Index = CommitTable::Index;

  Result<void> begin();
  // True if the queued commits cannot change the counts any more.
  bool is_done();
  // Visits the next commit. False: a date is wrong, or a parent could not be read.
  Result<bool> visit();
  void paint(Index index, uint8_t paint);
  // Switches to bitmaps if the walk has been long enough. True if bitmaps exist.
  bool begin_bitmaps();
  Result<std::optional<AheadBehind>> step_bitmaps(const Budget& budget);
  Result<AheadBehind> count_as_git();
  Result<std::optional<AheadBehind>> checked(AheadBehind counted) const;

  CommitReader& reader_;
  CommitTable commits_;
  const ObjectId ours_id_;
  const ObjectId theirs_id_;
  bool begun_ = false;
  Index ours_ = 0;
  Index theirs_ = 0;
  CommitQueue queue_;
  size_t fresh_ = 0;  // queued commits that can still change the paint of their ancestors
  std::array<int, 4> counts_ = {};  // visited commits, indexed by the sides that reach them
  CommitOrder lowest_counted_{UINT64_MAX, UINT64_MAX};
  int slack_;
  size_t visits_before_bitmaps_;  // remaining; kUnlimited: bitmaps are not tried, or not again
  std::unique_ptr<BitmapCount> by_bitmaps_;  // null: not in use
};

}  // namespace resident
