#include "odb/bitmap_count.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace resident {
namespace {

constexpr uint8_t kOursAlone = 1;
constexpr uint8_t kTheirsAlone = 2;

// What takes as long as reading a commit.
constexpr size_t kHashedBytes = 4096;
constexpr size_t kUnpackedWords = 1024;

}  // namespace

BitmapCount::BitmapCount(CommitReader& reader, std::shared_ptr<const ReachabilityBitmaps> bitmaps,
                         const ObjectId& ours, const ObjectId& theirs)
    : reader_(reader),
      bitmaps_(std::move(bitmaps)),
      verification_(*bitmaps_),
      sides_{Side{BitSet(bitmaps_->size()), {ours}, kOursAlone},
             Side{BitSet(bitmaps_->size()), {theirs}, kTheirsAlone}} {
}

Result<std::optional<BitmapCount::Counts>> BitmapCount::step(size_t work) {
  if (bitmaps_->is_verified() == false) return corrupt("bitmaps with another checksum");
  if (!bitmaps_->is_verified()) {
    constexpr size_t kMaxWork = std::numeric_limits<size_t>::max() / kHashedBytes;
    RESIDENT_TRY(const bool verified,
                 verification_.step(std::clamp<size_t>(work, 1, kMaxWork) * kHashedBytes));
    if (!verified) return std::optional<Counts>();
  }
  size_t done = 0;
  for (Side& side : sides_) {
    while (!side.pending.empty()) {
      if (done >= work) return std::optional<Counts>();
      RESIDENT_TRY(const size_t visited, visit(side));
      done += visited;
    }
  }
  RESIDENT_TRY(const Counts counts, count());
  if (!bitmaps_->is_whole()) return corrupt("bitmaps were shortened while they were read");
  return std::optional(counts);
}

Result<size_t> BitmapCount::visit(Side& side) {
  const ObjectId id = side.pending.back();
  side.pending.pop_back();
  Passed* passed = nullptr;
  if (const auto known = passed_.find(id); known != passed_.end()) passed = &known->second;
  if (passed && (passed->reached_by & side.paint)) return 0;
  RESIDENT_TRY(const std::optional<uint32_t> position, bitmaps_->position_of(id));
  if (position && side.reached.test(*position)) return 1;
  if (position && !passed) {
    RESIDENT_TRY(const std::optional<BitSet> below, bitmaps_->reached_from(id));
    if (below && !below->test(*position)) return corrupt("a bitmap without its own commit");
    if (below) side.reached |= *below;
    if (below) return 1 + below->words().size() / kUnpackedWords;
  }
  if (!passed) {
    if (passed_.size() >= kMaxWalked) {
      return Error{ErrorCode::kUnsupported, "few of the commits have bitmaps"};
    }
    RESIDENT_TRY(CommitInfo info, reader_.read(id));
    passed = &passed_.emplace(id, Passed{std::move(info.parents), 0, position.has_value()})
                  .first->second;
  }
  passed->reached_by |= side.paint;
  if (position) side.reached.set(*position);
  side.pending.insert(side.pending.end(), passed->parents.begin(), passed->parents.end());
  return 1;
}

Result<BitmapCount::Counts> BitmapCount::count() const {
  RESIDENT_TRY(const BitSet commits, bitmaps_->commits());
  const auto& [ours, theirs] = sides_;
  Counts counts{count_difference(commits, ours.reached, theirs.reached),
                count_difference(commits, theirs.reached, ours.reached)};
  for (const auto& [id, passed] : passed_) {
    if (passed.is_packed) continue;
    counts.ahead += passed.reached_by == kOursAlone;
    counts.behind += passed.reached_by == kTheirsAlone;
  }
  return counts;
}

}  // namespace resident
