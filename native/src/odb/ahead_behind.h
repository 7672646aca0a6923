// How far two commits have diverged: what `git rev-list --left-right --count ours...theirs` counts.
//
// One walk visits each commit once, the highest generation first (see commit_graph.h), above these
// the newest date first, and paints who reaches it, down to where both sides met everywhere. By
// generations that is exact. By dates it is, as far as no parent on the way is younger than its
// child. git counts by dates in both cases, and bridges wrong ones with slack, which fails for the
// wildest of them. So where the walk meets a wrong date, git's own two walks are made instead
// (merge_bases.h, side_count.h), so that the numbers are git's in those cases too.
//
// Without a commit-graph, where the tips turn out to be far apart, bitmaps tell the rest if there
// are any (bitmap_count.h). They know no dates: for wrong ones that only a longer walk had met,
// their number is the true one and git's is not.
//
// Threads: its owner's.
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

// A count that can be made in steps.
class AheadBehindWalk {
 public:
  // Commits visited before bitmaps are looked for: opening these takes as long.
  static constexpr size_t kVisitsBeforeBitmaps = 1000;

  // `reader` must outlive it.
  AheadBehindWalk(CommitReader& reader, const ObjectId& ours, const ObjectId& theirs,
                  size_t visits_before_bitmaps = kVisitsBeforeBitmaps);

  // How many commits a step may visit: reading one that is in no commit-graph takes some times
  // longer.
  static constexpr size_t kUnlimited = std::numeric_limits<size_t>::max();
  struct Budget {
    size_t visits = kUnlimited;
    size_t reads = kUnlimited;
  };
  // nullopt: the budget is used up, and it goes on with the next call. Once it has an answer, or an
  // error, it is not to be called again. Fails where a commit on the way cannot be read;
  // kUnsupported where only git can tell.
  Result<std::optional<AheadBehind>> step(const Budget& budget);
  bool counted_by_bitmaps() const { return by_bitmaps_ != nullptr; }

 private:
  using Index = CommitTable::Index;

  Result<void> begin();
  // What may be left to visit tells nothing any more.
  bool is_done();
  // False: dates are wrong, or a commit could not be read.
  Result<bool> visit();
  void paint(Index index, uint8_t paint);
  // Whether the time has come for them, and there are some.
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
  size_t fresh_ = 0;                // queued, with something to say below them
  std::array<int, 4> counts_ = {};  // of visited commits, by who reaches them
  CommitOrder lowest_counted_{UINT64_MAX, UINT64_MAX};
  int slack_;
  size_t visits_before_bitmaps_;             // that are left; kUnlimited: bitmaps were looked for
  std::unique_ptr<BitmapCount> by_bitmaps_;  // at work, or with the answer
};

// All of it at once.
Result<AheadBehind> count_ahead_behind(CommitReader& commits, const ObjectId& ours,
                                       const ObjectId& theirs);

}  // namespace resident
