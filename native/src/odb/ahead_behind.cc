#include "odb/ahead_behind.h"

#include <algorithm>
#include <queue>
#include <span>
#include <unordered_map>
#include <vector>

namespace resident {

namespace {

using Index = uint32_t;

struct Commit {
  ObjectId id;
  bool parsed = false;
  uint64_t date = 0;
  uint64_t oldest_child = UINT64_MAX;  // the date of the one known so far
  std::vector<Index> parents;          // empty until parsed
  uint8_t paint = 0;                   // Paint, while merge bases are looked for
  uint8_t marks = 0;                   // Mark, while the two sides are counted
  uint32_t queued = 0;                 // how often the walk at hand has it queued
};

// Every commit met so far, read at most once.
class CommitTable {
 public:
  explicit CommitTable(CommitReader& reader) : reader_(reader) {}

  Commit& operator[](Index index) { return commits_[index]; }
  std::vector<Commit>& all() { return commits_; }

  Index add(const ObjectId& id) {
    auto [found, is_new] = by_id_.try_emplace(id, static_cast<Index>(commits_.size()));
    if (is_new) commits_.emplace_back().id = id;
    return found->second;
  }

  Result<void> parse(Index index) {
    if (commits_[index].parsed) return {};
    RESIDENT_TRY(const CommitInfo info, reader_.read(commits_[index].id));
    std::vector<Index> parents;
    for (const ObjectId& parent : info.parents) parents.push_back(add(parent));
    bool dates_lie = info.date > commits_[index].oldest_child;
    for (Index parent : parents) {
      Commit& above = commits_[parent];
      above.oldest_child = std::min(above.oldest_child, info.date);
      dates_lie |= above.parsed && above.date > info.date;
    }
    Commit& commit = commits_[index];
    commit.date = info.date;
    commit.parents = std::move(parents);
    commit.parsed = true;
    return dates_lie ? reader_.dates_lie(commit.id) : Result<void>();
  }

 private:
  CommitReader& reader_;
  std::vector<Commit> commits_;
  std::unordered_map<ObjectId, Index> by_id_;
};

// Commits by date, newest first; of equal dates, first come first served.
class DateQueue {
 public:
  void push(Index commit, uint64_t date) { heap_.push({date, next_++, commit}); }
  bool empty() const { return heap_.empty(); }
  uint64_t newest_date() const { return heap_.top().date; }
  Index pop() {
    const Index commit = heap_.top().commit;
    heap_.pop();
    return commit;
  }

 private:
  struct Item {
    uint64_t date;
    uint64_t order;
    Index commit;
    bool operator<(const Item& other) const {
      return date != other.date ? date < other.date : order > other.order;
    }
  };
  std::priority_queue<Item> heap_;
  uint64_t next_ = 0;
};

// Finds merge bases: paints what one commit reaches and what others reach, down to where both meet.
class MergeBases {
 public:
  explicit MergeBases(CommitTable& commits) : commits_(commits) {}

  // Newest first. Without those that are ancestors of others, as far as dates can be trusted.
  Result<std::vector<Index>> find(Index one, Index two) {
    RESIDENT_TRY(std::vector<Index> bases, paint(one, std::span(&two, 1)));
    std::erase_if(bases, [&](Index base) { return commits_[base].paint & kStale; });
    clear();
    if (bases.size() > 1) RESIDENT_CHECK(remove_redundant(bases));
    return bases;
  }

 private:
  enum Paint : uint8_t {
    kOne = 1,
    kTwo = 2,
    kStale = 4,  // an ancestor of a base found already
    kFound = 8,
  };

  // Commits that both sides reach, newest first, some of them stale. Leaves its paint behind.
  Result<std::vector<Index>> paint(Index one, std::span<const Index> twos) {
    DateQueue queue;
    size_t fresh = 0;  // queued and not stale, counted as often as queued
    auto push = [&](Index index, uint8_t paint) {
      Commit& commit = commits_[index];
      if (!(commit.paint & kStale) && (paint & kStale)) fresh -= commit.queued;
      commit.paint |= paint;
      ++commit.queued;
      if (!(commit.paint & kStale)) ++fresh;
      queue.push(index, commit.date);
    };
    push(one, kOne);
    for (Index two : twos) push(two, kTwo);

    std::vector<Index> found;
    while (fresh > 0) {
      const Index index = queue.pop();
      Commit& commit = commits_[index];
      --commit.queued;
      uint8_t paint = commit.paint & (kOne | kTwo | kStale);
      if (!(paint & kStale)) --fresh;
      if (paint == (kOne | kTwo)) {
        if (!(commit.paint & kFound)) {
          commit.paint |= kFound;
          found.push_back(index);
        }
        paint |= kStale;
      }
      // A copy: reading a parent can move the table.
      const std::vector<Index> parents = commit.parents;
      for (Index parent : parents) {
        if ((commits_[parent].paint & paint) == paint) continue;
        RESIDENT_CHECK(commits_.parse(parent));
        push(parent, paint);
      }
    }
    std::stable_sort(found.begin(), found.end(),
                     [&](Index a, Index b) { return commits_[a].date > commits_[b].date; });
    return found;
  }

  Result<void> remove_redundant(std::vector<Index>& bases) {
    std::vector<bool> redundant(bases.size());
    for (size_t i = 0; i < bases.size(); ++i) {
      if (redundant[i]) continue;
      std::vector<Index> others;
      for (size_t j = 0; j < bases.size(); ++j) {
        if (j != i && !redundant[j]) others.push_back(bases[j]);
      }
      RESIDENT_TRY([[maybe_unused]] auto common, paint(bases[i], others));
      if (commits_[bases[i]].paint & kTwo) redundant[i] = true;
      for (size_t j = 0; j < bases.size(); ++j) {
        if (j != i && !redundant[j] && (commits_[bases[j]].paint & kOne)) redundant[j] = true;
      }
      clear();
    }
    size_t kept = 0;
    for (size_t i = 0; i < bases.size(); ++i) {
      if (!redundant[i]) bases[kept++] = bases[i];
    }
    bases.resize(kept);
    return {};
  }

  void clear() {
    for (Commit& commit : commits_.all()) {
      commit.paint = 0;
      commit.queued = 0;
    }
  }

  CommitTable& commits_;
};

// Counts what each side reaches and the merge bases do not.
class SideCount {
 public:
  explicit SideCount(CommitTable& commits) : commits_(commits) {}

  Result<AheadBehind> count(Index ours, Index theirs, const std::vector<Index>& bases) {
    for (Index base : bases) mark_shared(base);
    commits_[ours].marks |= kOurs;
    for (Index base : bases) mark_ancestors_shared(base);
    for (Index base : bases) enqueue(base);
    enqueue(ours);
    enqueue(theirs);

    std::vector<Index> counted;
    uint64_t last_counted_date = UINT64_MAX;
    int slack = kSlack;
    while (!queue_.empty()) {
      const Index index = queue_.pop();
      Commit& commit = commits_[index];
      commit.queued = 0;
      const bool shared = commit.marks & kShared;
      if (!shared) --unshared_queued_;
      RESIDENT_CHECK(shared ? walk_shared(index) : walk_side(index));
      if (!shared) {
        last_counted_date = commits_[index].date;
        counted.push_back(index);
        continue;
      }
      mark_ancestors_shared(index);
      // Only shared commits are left: go on for a while, because one of them may turn out to be the
      // descendant, by a wrong date, of one that was counted.
      if (queue_.empty()) break;
      const bool done = queue_.newest_date() < last_counted_date && unshared_queued_ == 0;
      slack = done ? slack - 1 : kSlack;
      if (slack == 0) break;
    }

    AheadBehind result;
    for (Index index : counted) {
      const uint8_t marks = commits_[index].marks;
      if (marks & kShared) continue;
      ++(marks & kOurs ? result.ahead : result.behind);
    }
    return result;
  }

 private:
  enum Mark : uint8_t { kShared = 1, kOurs = 2, kSeen = 4 };

  // Commits that may be queued after there seems to be nothing left to learn: git's own number.
  static constexpr int kSlack = 5;

  void mark_shared(Index index) {
    Commit& commit = commits_[index];
    if (commit.marks & kShared) return;
    commit.marks |= kShared;
    if (commit.queued) --unshared_queued_;
  }

  // All ancestors that have been read so far.
  void mark_ancestors_shared(Index index) {
    std::vector<Index> pending(commits_[index].parents);
    while (!pending.empty()) {
      const Index ancestor = pending.back();
      pending.pop_back();
      if (commits_[ancestor].marks & kShared) continue;
      mark_shared(ancestor);
      const auto& parents = commits_[ancestor].parents;
      pending.insert(pending.end(), parents.begin(), parents.end());
    }
  }

  void enqueue(Index index) {
    Commit& commit = commits_[index];
    if (commit.marks & kSeen) return;
    commit.marks |= kSeen;
    commit.queued = 1;
    if (!(commit.marks & kShared)) ++unshared_queued_;
    queue_.push(index, commit.date);
  }

  Result<void> walk_shared(Index index) {
    const std::vector<Index> parents = commits_[index].parents;
    for (Index parent : parents) {
      mark_shared(parent);
      // What lies beyond is not counted, so that it may be missing, as in git.
      if (!commits_.parse(parent).ok()) continue;
      mark_ancestors_shared(parent);
      enqueue(parent);
    }
    return {};
  }

  Result<void> walk_side(Index index) {
    const std::vector<Index> parents = commits_[index].parents;
    for (Index parent : parents) {
      RESIDENT_CHECK(commits_.parse(parent));
      commits_[parent].marks |= commits_[index].marks & kOurs;
      enqueue(parent);
    }
    return {};
  }

  CommitTable& commits_;
  DateQueue queue_;
  size_t unshared_queued_ = 0;
};

}  // namespace

Result<AheadBehind> count_ahead_behind(CommitReader& reader, const ObjectId& ours,
                                       const ObjectId& theirs) {
  if (ours == theirs) return AheadBehind{};
  CommitTable commits(reader);
  const Index one = commits.add(ours), two = commits.add(theirs);
  RESIDENT_CHECK(commits.parse(one));
  RESIDENT_CHECK(commits.parse(two));
  RESIDENT_TRY(const std::vector<Index> bases, MergeBases(commits).find(one, two));
  return SideCount(commits).count(one, two, bases);
}

}  // namespace resident
