#include "napi/delta_mailbox.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace resident {
namespace {

// What an entry takes besides its path, roughly, as a message between processes.
constexpr size_t kEntryOverhead = 64;

// Problems are for a log; a flood of them says no more than its beginning.
constexpr size_t kMaxProblems = 1000;

size_t size_of(const std::string& path) {
  return path.size() + kEntryOverhead;
}
size_t size_of(const ChangedEntry& entry) {
  return entry.path.size() + entry.from.size() + kEntryOverhead;
}
size_t size_of(const UnmergedEntry& entry) {
  return entry.path.size() + kEntryOverhead;
}

std::string_view path_of(const std::string& path) {
  return path;
}
std::string_view path_of(const ChangedEntry& entry) {
  return entry.path;
}
std::string_view path_of(const UnmergedEntry& entry) {
  return entry.path;
}

// Hands out items until one of two limits is reached; the first item always fits.
class Budget {
 public:
  Budget(size_t entries, size_t bytes) : entries_(entries), bytes_(bytes) {}

  template <typename Queue, typename T>
  void move(Queue& from, std::vector<T>& to) {
    while (!from.empty()) {
      T& item = from.items[from.taken];
      const size_t size = size_of(item);
      if (!first_ && (entries_ == 0 || bytes_ < size)) return;
      first_ = false;
      entries_ -= std::min<size_t>(entries_, 1);
      bytes_ -= std::min(bytes_, size);
      to.push_back(std::move(item));
      ++from.taken;
    }
    from = {};
  }

 private:
  size_t entries_;
  size_t bytes_;
  bool first_ = true;
};

}  // namespace

template <typename T>
void DeltaMailbox::Queue<T>::append(std::vector<T> more) {
  if (empty()) {
    items = std::move(more);
    taken = 0;
    return;
  }
  items.insert(items.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

template <typename T>
template <typename Predicate>
void DeltaMailbox::Queue<T>::remove_if(Predicate predicate) {
  if (empty()) return;
  items.erase(items.begin(), items.begin() + static_cast<ptrdiff_t>(taken));
  taken = 0;
  std::erase_if(items, predicate);
}

bool DeltaMailbox::Pending::has_paths() const {
  return !changed.empty() || !unmerged.empty() || !untracked.empty() || !removed.empty() ||
         !removed_untracked.empty();
}

// Tracked and untracked entries of a path are two things: each is superseded by its own kind only.
void DeltaMailbox::drop_superseded(const StatusDelta& newer) {
  if (!pending_->has_paths()) return;
  std::unordered_set<std::string_view> tracked;
  for (const ChangedEntry& entry : newer.changed) tracked.insert(entry.path);
  for (const UnmergedEntry& entry : newer.unmerged) tracked.insert(entry.path);
  tracked.insert(newer.removed.begin(), newer.removed.end());
  if (!tracked.empty()) {
    const auto superseded = [&](const auto& item) { return tracked.contains(path_of(item)); };
    pending_->changed.remove_if(superseded);
    pending_->unmerged.remove_if(superseded);
    pending_->removed.remove_if(superseded);
  }

  std::unordered_set<std::string_view> untracked(newer.untracked.begin(), newer.untracked.end());
  untracked.insert(newer.removed_untracked.begin(), newer.removed_untracked.end());
  if (!untracked.empty()) {
    const auto superseded = [&](const auto& item) { return untracked.contains(path_of(item)); };
    pending_->untracked.remove_if(superseded);
    pending_->removed_untracked.remove_if(superseded);
  }
}

void DeltaMailbox::merge_rest(StatusDelta& newer) {
  StatusDelta& rest = pending_->rest;
  if (newer.branch) rest.branch = std::move(newer.branch);
  if (newer.operation) rest.operation = newer.operation;
  if (newer.state) rest.state = std::move(newer.state);
  const size_t room = kMaxProblems - rest.problems.size();
  if (newer.problems.size() > room) newer.problems.resize(room);
  std::move(newer.problems.begin(), newer.problems.end(), std::back_inserter(rest.problems));
  rest.ignore_rules_changed |= newer.ignore_rules_changed;
  rest.content_changed |= newer.content_changed;
  // The earliest is the one that has waited longest; a delta that no event caused has none.
  constexpr std::chrono::steady_clock::time_point kNone{};
  if (rest.since == kNone || (newer.since != kNone && newer.since < rest.since)) {
    rest.since = newer.since;
  }
}

bool DeltaMailbox::put(StatusDelta delta) {
  MutexLock lock(mutex_);
  if (!pending_) pending_.emplace();
  if (delta.base_version == 0) {
    // These outlive a replay: whoever caches answers still has to drop them, and no problem is told
    // twice.
    Pending fresh;
    fresh.from_scratch = true;
    fresh.rest.ignore_rules_changed = pending_->rest.ignore_rules_changed;
    fresh.rest.content_changed = pending_->rest.content_changed;
    fresh.rest.problems = std::move(pending_->rest.problems);
    pending_ = std::move(fresh);
  }
  drop_superseded(delta);
  pending_->changed.append(std::move(delta.changed));
  pending_->unmerged.append(std::move(delta.unmerged));
  pending_->untracked.append(std::move(delta.untracked));
  pending_->removed.append(std::move(delta.removed));
  pending_->removed_untracked.append(std::move(delta.removed_untracked));
  merge_rest(delta);
  return std::exchange(receiver_waits_, false);
}

std::optional<DeltaChunk> DeltaMailbox::take() {
  MutexLock lock(mutex_);
  if (!pending_) {
    receiver_waits_ = true;
    return std::nullopt;
  }
  DeltaChunk chunk;
  chunk.delta.since = pending_->rest.since;
  chunk.delta.base_version = std::exchange(pending_->from_scratch, false) ? 0 : version_;
  chunk.delta.version = ++version_;
  Budget budget(limits_.entries, limits_.bytes);
  budget.move(pending_->removed, chunk.delta.removed);
  budget.move(pending_->removed_untracked, chunk.delta.removed_untracked);
  budget.move(pending_->changed, chunk.delta.changed);
  budget.move(pending_->unmerged, chunk.delta.unmerged);
  budget.move(pending_->untracked, chunk.delta.untracked);
  chunk.more = pending_->has_paths();
  if (!chunk.more) {
    StatusDelta& rest = pending_->rest;
    chunk.delta.branch = std::move(rest.branch);
    chunk.delta.operation = rest.operation;
    chunk.delta.state = std::move(rest.state);
    chunk.delta.problems = std::move(rest.problems);
    chunk.delta.ignore_rules_changed = rest.ignore_rules_changed;
    chunk.delta.content_changed = rest.content_changed;
    pending_.reset();
  }
  return chunk;
}

}  // namespace resident
