#include "odb/side_count.h"

#include "odb/commit_queue.h"

namespace resident {

namespace {

using Index = CommitTable::Index;

class SideCount {
 public:
  explicit SideCount(CommitTable& commits) : commits_(commits) {}

  Result<AheadBehind> count(Index ours, Index theirs, const std::vector<Index>& bases) {
    for (Index base : bases) mark_shared(base);
    marks(ours) |= kOurs;
    for (Index base : bases) mark_ancestors_shared(base);
    for (Index base : bases) enqueue(base);
    enqueue(ours);
    enqueue(theirs);

    std::vector<Index> counted;
    uint64_t last_counted_date = UINT64_MAX;
    int slack = kSlack;
    while (!queue_.empty()) {
      const Index index = queue_.pop();
      commits_.queued(index) = 0;
      const bool shared = marks(index) & kShared;
      if (!shared) --unshared_queued_;
      RESIDENT_CHECK(shared ? walk_shared(index) : walk_side(index));
      if (!shared) {
        last_counted_date = commits_.date(index);
        counted.push_back(index);
        continue;
      }
      mark_ancestors_shared(index);
      // Only shared commits are left. Continue for a while: by a wrong date, one of them may be a
      // descendant of a counted commit.
      if (queue_.empty()) break;
      const bool done = queue_.first().date < last_counted_date && unshared_queued_ == 0;
      slack = done ? slack - 1 : kSlack;
      if (slack == 0) break;
    }

    AheadBehind result;
    for (Index index : counted) {
      if (marks(index) & kShared) continue;
      ++(marks(index) & kOurs ? result.ahead : result.behind);
    }
    return result;
  }

 private:
  enum Mark : uint8_t { kShared = 1, kOurs = 2, kSeen = 4 };

  // Commits to visit after the counts seem final; git's own number.
  static constexpr int kSlack = 5;

  uint8_t& marks(Index index) { return commits_.paint(index); }

  void mark_shared(Index index) {
    if (marks(index) & kShared) return;
    marks(index) |= kShared;
    if (commits_.queued(index)) --unshared_queued_;
  }

  // Marks all ancestors that are parsed already.
  void mark_ancestors_shared(Index index) {
    const auto first = commits_.parents(index);
    pending_.assign(first.begin(), first.end());
    while (!pending_.empty()) {
      const Index ancestor = pending_.back();
      pending_.pop_back();
      if (marks(ancestor) & kShared) continue;
      mark_shared(ancestor);
      const auto parents = commits_.parents(ancestor);
      pending_.insert(pending_.end(), parents.begin(), parents.end());
    }
  }

  void enqueue(Index index) {
    if (marks(index) & kSeen) return;
    marks(index) |= kSeen;
    commits_.queued(index) = 1;
    if (!(marks(index) & kShared)) ++unshared_queued_;
    queue_.push(index, {0, commits_.date(index)});
  }

  Result<void> walk_shared(Index index) {
    for (size_t i = 0; i < commits_.parent_count(index); ++i) {
      const Index parent = commits_.parent(index, i);
      mark_shared(parent);
      // Its ancestors are not counted, so the parent may be missing, as in git.
      if (!commits_.parse(parent).ok()) continue;
      mark_ancestors_shared(parent);
      enqueue(parent);
    }
    return {};
  }

  Result<void> walk_side(Index index) {
    for (size_t i = 0; i < commits_.parent_count(index); ++i) {
      const Index parent = commits_.parent(index, i);
      RESIDENT_CHECK(commits_.parse(parent));
      marks(parent) |= marks(index) & kOurs;
      enqueue(parent);
    }
    return {};
  }

  CommitTable& commits_;
  CommitQueue queue_;
  size_t unshared_queued_ = 0;
  std::vector<Index> pending_;
};

}  // namespace

Result<AheadBehind> count_sides(CommitTable& commits, Index ours, Index theirs,
                                const std::vector<Index>& bases) {
  return SideCount(commits).count(ours, theirs, bases);
}

}  // namespace resident
