#include "diff/renames.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "diff/rename_candidates.h"

namespace resident {
namespace {

// Limit of identical sources to compare for one destination. The best of these is taken.
constexpr int kMaxIdenticalWeighed = 100;

// git keeps sources in a hash table. Sources with the same content normally come in their order.
// For some numbers of sources the table is created one entry too small. Growth at the last source
// then reverses the order. The table's size is a power of four, at least 64, and at most four
// fifths may be filled. Both numbers are rounded down.
bool are_turned_around(size_t sources) {
  size_t size = 64;
  while (sources * 100 / 80 > size) size *= 4;
  return sources > size * 80 / 100;
}

class RenameDetector {
 public:
  RenameDetector(RenameCandidates& candidates, const RenameOptions& options,
                 const ContentSource& source, RenameResult& result)
      : sources_(candidates.sources),
        destinations_(candidates.destinations),
        options_(options),
        source_(source),
        result_(result),
        copies_(options.mode == RenameMode::kCopies),
        minimum_score_(options.minimum_score ? options.minimum_score : kMaxScore / 2) {}

  Result<void> run();

 private:
  struct Candidate {
    int score;
    bool same_basename;
    int source;
    int destination;
    // Strictly better. Equal candidates keep the order in which they were found.
    bool better_than(const Candidate& other) const {
      if (score != other.score) return score > other.score;
      return same_basename && !other.same_basename;
    }
  };
  // The few best sources of one destination; git keeps as many.
  class BestFew;

  Result<void> match_identical();
  Result<void> match_unique_basenames();
  Result<void> match_similar();
  void take(const std::vector<Candidate>& candidates, bool from_used_sources);
  void record(int destination, int source, int score);
  Result<int> similarity(int source, int destination, int minimum_score);
  // Files for the next step. Without copies, each source is used once. If basenames are not
  // preferred, used sources are still compared, but in vain.
  std::vector<int> open_sources() const;
  std::vector<int> open_destinations() const;

  std::vector<RenameSource>& sources_;
  std::vector<RenameDestination>& destinations_;
  const RenameOptions& options_;
  const ContentSource& source_;
  RenameResult& result_;
  const bool copies_;
  const int minimum_score_;
};

class RenameDetector::BestFew {
 public:
  void offer(const Candidate& candidate) {
    if (count_ < kept_.size()) {
      kept_[count_++] = candidate;
      return;
    }
    // Replaces the first of the worst candidates. The slot then decides the final order of equal
    // candidates: a later one can come before earlier ones.
    Candidate* worst = &kept_[0];
    for (Candidate& kept : kept_) {
      if (worst->better_than(kept)) worst = &kept;
    }
    if (candidate.better_than(*worst)) *worst = candidate;
  }
  void append_to(std::vector<Candidate>& out) const {
    out.insert(out.end(), kept_.begin(), kept_.begin() + static_cast<ptrdiff_t>(count_));
  }

 private:
  std::array<Candidate, 4> kept_;
  size_t count_ = 0;
};

Result<void> RenameDetector::run() {
  if (sources_.empty() || destinations_.empty()) return {};
  RESIDENT_CHECK(match_identical());
  if (minimum_score_ >= kMaxScore) return {};
  if (!copies_ && options_.prefers_unique_basenames) RESIDENT_CHECK(match_unique_basenames());
  return match_similar();
}

void RenameDetector::record(int destination, int source, int score) {
  ++sources_[source].users;
  destinations_[destination].source = source;
  destinations_[destination].score = score;
}

Result<int> RenameDetector::similarity(int source, int destination, int minimum_score) {
  return RenameFile::similarity(sources_[source].file, destinations_[destination].file,
                                minimum_score, options_, source_, result_.work);
}

std::vector<int> RenameDetector::open_sources() const {
  std::vector<int> open;
  for (int i = 0; i < static_cast<int>(sources_.size()); ++i) {
    if (copies_ || !options_.prefers_unique_basenames || sources_[i].users == 0) open.push_back(i);
  }
  return open;
}

std::vector<int> RenameDetector::open_destinations() const {
  std::vector<int> open;
  for (int i = 0; i < static_cast<int>(destinations_.size()); ++i) {
    if (destinations_[i].source < 0) open.push_back(i);
  }
  return open;
}

Result<void> RenameDetector::match_identical() {
  std::unordered_map<ObjectId, std::vector<int>> by_id;
  for (int i = 0; i < static_cast<int>(sources_.size()); ++i) {
    by_id[sources_[i].file.side().id].push_back(i);
  }
  if (are_turned_around(sources_.size())) {
    for (auto& [id, same] : by_id) std::reverse(same.begin(), same.end());
  }
  for (int i = 0; i < static_cast<int>(destinations_.size()); ++i) {
    RenameFile& to = destinations_[i].file;
    RESIDENT_TRY(ObjectId id, to.id(options_, source_, result_.work));
    if (id.is_null()) continue;
    auto found = by_id.find(id);
    if (found == by_id.end()) continue;
    int best = -1;
    int best_rank = -1;
    int weighed = 0;
    for (int candidate : found->second) {
      const RenameSource& from = sources_[candidate];
      if ((!from.file.is_regular() || !to.is_regular()) &&
          from.file.side().mode != to.side().mode) {
        continue;
      }
      if (from.users > 0 && !copies_) continue;
      int rank = (from.users == 0 ? 1 : 0) + (from.file.basename() == to.basename() ? 1 : 0);
      if (rank > best_rank) {
        best = candidate;
        best_rank = rank;
        if (rank == 2) break;
      }
      if (++weighed == kMaxIdenticalWeighed) break;
    }
    if (best >= 0) record(i, best, kMaxScore);
  }
  return {};
}

Result<void> RenameDetector::match_unique_basenames() {
  constexpr int kSeveral = -1;
  // The middle between the minimum and identity: an equal basename is evidence, but no proof.
  const int minimum = minimum_score_ + (kMaxScore - minimum_score_) / 2;
  const std::vector<int> open = open_sources();
  std::unordered_map<std::string_view, int> source_of;
  std::unordered_map<std::string_view, int> destination_of;
  for (int i : open) {
    auto [slot, is_new] = source_of.emplace(sources_[i].file.basename(), i);
    if (!is_new) slot->second = kSeveral;
  }
  for (int i : open_destinations()) {
    auto [slot, is_new] = destination_of.emplace(destinations_[i].file.basename(), i);
    if (!is_new) slot->second = kSeveral;
  }
  for (int i : open) {
    std::string_view name = sources_[i].file.basename();
    if (source_of.at(name) == kSeveral) continue;
    auto found = destination_of.find(name);
    if (found == destination_of.end() || found->second == kSeveral) continue;
    RESIDENT_TRY(int score, similarity(i, found->second, minimum));
    if (score >= minimum) record(found->second, i, score);
  }
  return {};
}

Result<void> RenameDetector::match_similar() {
  const std::vector<int> from = open_sources();
  const std::vector<int> to = open_destinations();
  if (from.empty() || to.empty()) return {};
  if (options_.limit > 0 &&
      uint64_t{from.size()} * to.size() > static_cast<uint64_t>(options_.limit) * options_.limit) {
    result_.limited = true;
    return {};
  }
  std::vector<Candidate> candidates;
  for (int destination : to) {
    BestFew best;
    for (int source : from) {
      RESIDENT_TRY(int score, similarity(source, destination, minimum_score_));
      bool same_basename =
          sources_[source].file.basename() == destinations_[destination].file.basename();
      best.offer({score, same_basename, source, destination});
    }
    best.append_to(candidates);
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.better_than(b); });
  take(candidates, false);
  if (copies_) take(candidates, true);
  return {};
}

void RenameDetector::take(const std::vector<Candidate>& candidates, bool from_used_sources) {
  for (const Candidate& candidate : candidates) {
    if (candidate.score < minimum_score_) break;
    if (destinations_[candidate.destination].source >= 0) continue;
    if (!from_used_sources && sources_[candidate.source].users > 0) continue;
    record(candidate.destination, candidate.source, candidate.score);
  }
}

// The changes with the detected renames. A deleted source with a user is no longer a deletion. The
// last change that uses it is the rename; earlier ones are copies.
std::vector<PathChange> fold(const std::vector<PathChange>& changes,
                             const RenameCandidates& candidates) {
  std::vector<PathChange> folded;
  folded.reserve(changes.size());
  std::vector<int> users_left;
  for (const RenameSource& source : candidates.sources) users_left.push_back(source.users);
  for (size_t i = 0; i < changes.size(); ++i) {
    const PathChange& change = changes[i];
    int source = candidates.source_of_change[i];
    if (change.change == Change::kDeleted && candidates.sources[source].users > 0) continue;
    PathChange& out = folded.emplace_back(change);
    int destination = candidates.destination_of_change[i];
    if (destination < 0) continue;
    source = candidates.destinations[destination].source;
    if (source < 0) continue;
    out.before = candidates.sources[source].file.side();
    out.from = candidates.sources[source].file.path();
    out.score = candidates.destinations[destination].score;
    out.change = --users_left[source] > 0 ? Change::kCopied : Change::kRenamed;
  }
  return folded;
}

}  // namespace

Result<RenameResult> detect_renames(std::vector<PathChange> changes,
                                    std::span<const UnmergedPath> unmerged,
                                    const RenameOptions& options, const ContentSource& source) {
  RenameResult result;
  if (options.mode == RenameMode::kOff) {
    result.changes = std::move(changes);
    return result;
  }
  RenameCandidates candidates =
      collect_rename_candidates(changes, unmerged, options.mode == RenameMode::kCopies);
  RESIDENT_CHECK(RenameDetector(candidates, options, source, result).run());
  result.changes = fold(changes, candidates);
  return result;
}

}  // namespace resident
