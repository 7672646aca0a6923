#include "odb/merge_bases.h"

#include <algorithm>
#include <span>

#include "odb/commit_queue.h"

namespace resident {

namespace {

using Index = CommitTable::Index;

enum Mark : uint8_t {
  kOne = 1,
  kTwo = 2,
  kStale = 4,  // an ancestor of a base found already
  kFound = 8,
};

// Paints what one commit reaches and what others reach, down to where both meet.
class MergeBases {
 public:
  explicit MergeBases(CommitTable& commits) : commits_(commits) {}

  Result<std::vector<Index>> find(Index one, Index two) {
    RESIDENT_TRY(std::vector<Index> bases, paint(one, std::span(&two, 1)));
    std::erase_if(bases, [&](Index base) { return commits_.paint(base) & kStale; });
    commits_.clear_paint();
    if (bases.size() > 1) RESIDENT_CHECK(remove_redundant(bases));
    return bases;
  }

 private:
  // Without corrected dates git goes by dates.
  CommitOrder order(Index index) const {
    if (commits_.has_graph()) return commits_.order(index);
    return {0, commits_.date(index)};
  }

  // Commits that both sides reach, newest first, some of them stale. Leaves its paint behind.
  Result<std::vector<Index>> paint(Index one, std::span<const Index> twos) {
    CommitQueue queue;
    size_t fresh = 0;  // queued and not stale, counted as often as queued
    auto push = [&](Index index, uint8_t paint) {
      uint8_t& known = commits_.paint(index);
      if (!(known & kStale) && (paint & kStale)) fresh -= commits_.queued(index);
      known |= paint;
      ++commits_.queued(index);
      if (!(known & kStale)) ++fresh;
      queue.push(index, order(index));
    };
    push(one, kOne);
    for (Index two : twos) push(two, kTwo);

    std::vector<Index> found;
    while (fresh > 0) {
      const Index index = queue.pop();
      --commits_.queued(index);
      uint8_t paint = commits_.paint(index) & (kOne | kTwo | kStale);
      if (!(paint & kStale)) --fresh;
      if (paint == (kOne | kTwo)) {
        if (!(commits_.paint(index) & kFound)) {
          commits_.paint(index) |= kFound;
          found.push_back(index);
        }
        paint |= kStale;
      }
      for (size_t i = 0; i < commits_.parent_count(index); ++i) {
        const Index parent = commits_.parent(index, i);
        if ((commits_.paint(parent) & paint) == paint) continue;
        RESIDENT_CHECK(commits_.parse(parent));
        push(parent, paint);
      }
    }
    std::stable_sort(found.begin(), found.end(),
                     [&](Index a, Index b) { return commits_.date(a) > commits_.date(b); });
    return found;
  }

  Result<void> remove_redundant(std::vector<Index>& bases) {
    const bool outside = std::any_of(bases.begin(), bases.end(),
                                     [&](Index base) { return !commits_.is_in_graph(base); });
    if (commits_.has_graph() && outside) {
      return Error{ErrorCode::kUnsupported,
                   "some of several merge bases are not in the commit-graph"};
    }
    std::vector<bool> redundant(bases.size());
    for (size_t i = 0; i < bases.size(); ++i) {
      if (redundant[i]) continue;
      std::vector<Index> others;
      for (size_t j = 0; j < bases.size(); ++j) {
        if (j != i && !redundant[j]) others.push_back(bases[j]);
      }
      RESIDENT_TRY([[maybe_unused]] auto common, paint(bases[i], others));
      if (commits_.paint(bases[i]) & kTwo) redundant[i] = true;
      for (size_t j = 0; j < bases.size(); ++j) {
        if (j != i && !redundant[j] && (commits_.paint(bases[j]) & kOne)) redundant[j] = true;
      }
      commits_.clear_paint();
    }
    size_t kept = 0;
    for (size_t i = 0; i < bases.size(); ++i) {
      if (!redundant[i]) bases[kept++] = bases[i];
    }
    bases.resize(kept);
    return {};
  }

  CommitTable& commits_;
};

}  // namespace

Result<std::vector<Index>> find_merge_bases(CommitTable& commits, Index one, Index two) {
  if (commits.has_graph() && !commits.graph()->has_dates()) {
    return Error{ErrorCode::kUnsupported,
                 "some commits are newer than their children, and the commit-graph has no dates"};
  }
  return MergeBases(commits).find(one, two);
}

}  // namespace resident
