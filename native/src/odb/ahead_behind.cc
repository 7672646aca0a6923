#include "odb/ahead_behind.h"

#include <algorithm>

#include "odb/merge_bases.h"
#include "odb/side_count.h"

namespace resident {

namespace {

enum Paint : uint8_t {
  kOurs = 1,
  kTheirs = 2,
  kShared = 3,
  kVisited = 4,
  kRevisit = 8,  // back in the queue, with paint that its parents may not have yet
};

bool is_shared(uint8_t paint) {
  return (paint & kShared) == kShared;
}

// True if the commit can pass new paint to its ancestors.
bool is_fresh(uint8_t paint) {
  return !is_shared(paint) || (paint & kRevisit);
}

// Commits to visit after the counts seem final, in search of wrong dates. git visits five.
constexpr int kSlack = 8;

}  // namespace

AheadBehindWalk::AheadBehindWalk(CommitReader& reader, const ObjectId& ours, const ObjectId& theirs,
                                 size_t visits_before_bitmaps)
    : reader_(reader),
      commits_(reader),
      ours_id_(ours),
      theirs_id_(theirs),
      slack_(kSlack),
      visits_before_bitmaps_(commits_.has_graph() ? kUnlimited : visits_before_bitmaps) {
}

Result<void> AheadBehindWalk::begin() {
  RESIDENT_TRY(ours_, commits_.add(ours_id_));
  RESIDENT_TRY(theirs_, commits_.add(theirs_id_));
  RESIDENT_CHECK(commits_.parse(ours_));
  RESIDENT_CHECK(commits_.parse(theirs_));
  paint(ours_, kOurs);
  paint(theirs_, kTheirs);
  begun_ = true;
  return {};
}

// Adds paint to the commit and queues it if the paint is new. A commit that was visited before is
// visited again, whatever its order. Its new paint then also reaches ancestors that were visited.
void AheadBehindWalk::paint(Index index, uint8_t paint) {
  uint8_t& known = commits_.paint(index);
  uint32_t& queued = commits_.queued(index);
  if ((known & paint) == paint) return;
  if (queued && is_fresh(known)) --fresh_;
  if (known & kVisited) {
    --counts_[known & kShared];
    known = (known & ~kVisited) | kRevisit;
  }
  known |= paint;
  if (is_fresh(known)) ++fresh_;
  if (queued) return;
  queued = 1;
  queue_.push(index, commits_.order(index));
}

Result<bool> AheadBehindWalk::visit() {
  const Index index = queue_.pop();
  uint8_t& known = commits_.paint(index);
  if (is_fresh(known)) --fresh_;
  commits_.queued(index) = 0;
  const uint8_t reached = known & kShared;
  known = reached | kVisited;
  ++counts_[reached];
  if (!is_shared(reached)) lowest_counted_ = std::min(lowest_counted_, commits_.order(index));
  const uint64_t date = commits_.date(index);
  for (size_t i = 0; i < commits_.parent_count(index); ++i) {
    const Index parent = commits_.parent(index, i);
    if (Result<void> parsed = commits_.parse(parent); !parsed.ok()) {
      if (parsed.error().code == ErrorCode::kUnsupported) return std::move(parsed).error();
      return false;
    }
    if (commits_.date(parent) > date) return false;
    paint(parent, reached);
  }
  return true;
}

bool AheadBehindWalk::is_done() {
  if (queue_.empty()) return true;
  if (fresh_ > 0 || queue_.first() >= lowest_counted_) {
    slack_ = kSlack;
    return false;
  }
  return slack_-- == 0;
}

bool AheadBehindWalk::begin_bitmaps() {
  if (visits_before_bitmaps_ == kUnlimited) return false;
  if (visits_before_bitmaps_-- > 0) return false;
  visits_before_bitmaps_ = kUnlimited;
  auto bitmaps = reader_.bitmaps();
  if (!bitmaps) return false;
  by_bitmaps_ = std::make_unique<BitmapCount>(reader_, std::move(bitmaps), ours_id_, theirs_id_);
  return true;
}

Result<AheadBehind> AheadBehindWalk::count_as_git() {
  commits_.clear_paint();
  RESIDENT_TRY(const std::vector<Index> bases, find_merge_bases(commits_, ours_, theirs_));
  return count_sides(commits_, ours_, theirs_, bases);
}

Result<std::optional<AheadBehind>> AheadBehindWalk::step(const Budget& budget) {
  if (ours_id_ == theirs_id_) return std::optional(AheadBehind{});
  if (!begun_) RESIDENT_CHECK(begin());
  if (by_bitmaps_) return step_bitmaps(budget);
  const size_t most_reads = commits_.objects_read() + std::min(budget.reads, kUnlimited / 2);
  for (size_t visits = 0;; ++visits) {
    if (visits >= budget.visits || commits_.objects_read() >= most_reads) {
      return std::optional<AheadBehind>();
    }
    if (is_done()) return checked({counts_[kOurs], counts_[kTheirs]});
    if (begin_bitmaps()) return step_bitmaps(budget);
    RESIDENT_TRY(const bool is_plain, visit());
    if (is_plain) continue;
    RESIDENT_TRY(const AheadBehind counted, count_as_git());
    return checked(counted);
  }
}

// If the bitmaps fail, the walk continues where it stopped.
Result<std::optional<AheadBehind>> AheadBehindWalk::step_bitmaps(const Budget& budget) {
  const auto counted = by_bitmaps_->step(std::min(budget.visits, budget.reads));
  if (!counted.ok()) {
    by_bitmaps_ = nullptr;
    return step(budget);
  }
  if (!*counted) return std::optional<AheadBehind>();
  return std::optional(
      AheadBehind{static_cast<int>((*counted)->ahead), static_cast<int>((*counted)->behind)});
}

Result<std::optional<AheadBehind>> AheadBehindWalk::checked(AheadBehind counted) const {
  if (commits_.has_graph() && !commits_.graph()->is_whole()) {
    return Error{ErrorCode::kUnsupported, "a commit-graph was truncated while it was read"};
  }
  return std::optional(counted);
}

}  // namespace resident
