#include "delta/delta_mailbox.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace resident {
namespace {

// Size of a row as JSON without its paths: the names and values of its other properties.
constexpr size_t kRowOverhead = 128;

// Problems go to a log. Further ones in a flood add no information.
constexpr size_t kMaxProblems = 1000;
// Nobody reads more of a message. It can be a program's whole output.
constexpr size_t kMaxMessage = 8 * 1024;

// Upper bound of the size as JSON. A control character takes six bytes, as does a byte that is not
// valid UTF-8.
size_t json_size(std::string_view text) {
  size_t size = 2;
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if (byte < 0x20 || byte >= 0x80) {
      size += 6;
    } else {
      size += c == '"' || c == '\\' ? 2 : 1;
    }
  }
  return size;
}

size_t size_of(const std::string& text) {
  return json_size(text) + kRowOverhead;
}
size_t size_of(const ChangedEntry& entry) {
  return json_size(entry.path) + json_size(entry.from) + kRowOverhead;
}
size_t size_of(const UnmergedEntry& entry) {
  return json_size(entry.path) + kRowOverhead;
}

template <typename Item>
const std::string& path_of(const Item& item) {
  if constexpr (std::is_same_v<Item, std::string>) {
    return item;
  } else {
    return item.path;
  }
}

void clip(std::string& message) {
  if (message.size() <= kMaxMessage) return;
  message.resize(kMaxMessage);
  message += "...";
}

template <typename... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

}  // namespace

// The room that is left in a chunk. The first item always fits.
class DeltaMailbox::Budget {
 public:
  explicit Budget(const Limits& limits) : entries_(limits.entries), bytes_(limits.bytes) {}

  bool take(size_t size) {
    if (!is_first_ && (entries_ == 0 || bytes_ < size)) return false;
    is_first_ = false;
    entries_ -= std::min<size_t>(entries_, 1);
    bytes_ -= std::min(bytes_, size);
    return true;
  }

  // Moves items until the chunk is full. Drops items for which `is_stale` is true.
  template <typename T, typename Predicate>
  void move(Queue<T>& from, std::vector<T>& to, Predicate is_stale) {
    for (; !from.empty(); ++from.taken) {
      T& item = from.items[from.taken];
      if (is_stale(item)) continue;
      if (!take(size_of(item))) return;
      to.push_back(std::move(item));
    }
    from = {};
  }

 private:
  size_t entries_;
  size_t bytes_;
  bool is_first_ = true;
};

size_t DeltaMailbox::Pending::first_size() const {
  return changed.size() + unmerged.size() + untracked.size() + removed.size() +
         removed_untracked.size();
}

void DeltaMailbox::drop_rows() {
  Pending fresh;
  // These fields outlive the rows: they are not sent again.
  fresh.rest.ignore_rules_changed = pending_->rest.ignore_rules_changed;
  fresh.rest.content_changed = pending_->rest.content_changed;
  fresh.rest.unwatched_files = std::move(pending_->rest.unwatched_files);
  fresh.problems = std::move(pending_->problems);
  pending_ = std::move(fresh);
}

void DeltaMailbox::add_rows(StatusDelta& delta) {
  Pending& pending = *pending_;
  if (pending.first_size() == 0 && pending.newer.empty()) {
    pending.changed.fill(std::move(delta.changed));
    pending.unmerged.fill(std::move(delta.unmerged));
    pending.untracked.fill(std::move(delta.untracked));
    pending.removed.fill(std::move(delta.removed));
    pending.removed_untracked.fill(std::move(delta.removed_untracked));
    return;
  }
  auto& newer = pending.newer;
  for (std::string& path : delta.removed) newer.insert_or_assign({false, std::move(path)}, Gone{});
  for (std::string& path : delta.removed_untracked) {
    newer.insert_or_assign({true, std::move(path)}, Gone{});
  }
  for (ChangedEntry& entry : delta.changed) {
    newer.insert_or_assign({false, entry.path}, std::move(entry));
  }
  for (UnmergedEntry& entry : delta.unmerged) {
    newer.insert_or_assign({false, entry.path}, std::move(entry));
  }
  for (std::string& path : delta.untracked) {
    newer.insert_or_assign({true, std::move(path)}, Untracked{});
  }
  if (newer.size() <= limits_.newer) return;
  drop_rows();
  loss_ = Loss::kToAsk;
}

void DeltaMailbox::merge_rest(StatusDelta& newer) {
  StatusDelta& rest = pending_->rest;
  if (newer.place) rest.place = std::move(newer.place);
  if (newer.branch) rest.branch = std::move(newer.branch);
  if (newer.operation) rest.operation = newer.operation;
  if (newer.details) rest.details = std::move(newer.details);
  if (newer.operation_step) rest.operation_step = std::move(newer.operation_step);
  if (newer.state) {
    rest.state = std::move(newer.state);
    clip(rest.state->message);
  }
  for (std::string& problem : newer.problems) {
    if (pending_->problems.items.size() == kMaxProblems) break;
    clip(problem);
    pending_->problems.items.push_back(std::move(problem));
  }
  if (newer.unwatched_files) rest.unwatched_files = std::move(newer.unwatched_files);
  rest.ignore_rules_changed |= newer.ignore_rules_changed;
  rest.content_changed |= newer.content_changed;
  // Keep the earliest time: its event has waited longest. A delta without an event has no time.
  constexpr std::chrono::steady_clock::time_point kNone{};
  if (rest.since == kNone || (newer.since != kNone && newer.since < rest.since)) {
    rest.since = newer.since;
  }
}

bool DeltaMailbox::put(StatusDelta delta) {
  MutexLock lock(mutex_);
  if (!pending_) pending_ = Pending();
  if (delta.base_version == 0) {
    drop_rows();
    pending_->from_scratch = true;
    loss_ = Loss::kNone;
  }
  if (loss_ == Loss::kNone) add_rows(delta);
  merge_rest(delta);
  // Nothing can be taken until the replay arrives.
  if (loss_ == Loss::kAsked) return false;
  return std::exchange(receiver_waits_, false);
}

std::optional<DeltaChunk> DeltaMailbox::take() {
  {
    MutexLock lock(mutex_);
    if (pending_ && loss_ == Loss::kNone) return next_chunk();
    receiver_waits_ = true;
    if (loss_ != Loss::kToAsk) return std::nullopt;
    loss_ = Loss::kAsked;
  }
  ask_replay_();
  return std::nullopt;
}

DeltaChunk DeltaMailbox::next_chunk() {
  Pending& pending = *pending_;
  DeltaChunk chunk;
  StatusDelta& delta = chunk.delta;
  delta.since = pending.rest.since;
  delta.base_version = std::exchange(pending.from_scratch, false) ? 0 : version_;
  delta.version = ++version_;

  Budget budget(limits_);
  const auto& newer = pending.newer;
  const auto tracked_stale = [&newer](const auto& item) {
    return !newer.empty() && newer.contains({false, path_of(item)});
  };
  const auto untracked_stale = [&newer](const std::string& path) {
    return !newer.empty() && newer.contains({true, path});
  };
  budget.move(pending.removed, delta.removed, tracked_stale);
  budget.move(pending.removed_untracked, delta.removed_untracked, untracked_stale);
  budget.move(pending.changed, delta.changed, tracked_stale);
  budget.move(pending.unmerged, delta.unmerged, tracked_stale);
  budget.move(pending.untracked, delta.untracked, untracked_stale);
  while (pending.first_size() == 0 && !pending.newer.empty()) {
    const auto next = pending.newer.begin();
    const bool is_untracked = next->first.first;
    const std::string& path = next->first.second;
    const size_t size =
        std::visit(Overloaded{[&](const ChangedEntry& entry) { return size_of(entry); },
                              [&](const UnmergedEntry& entry) { return size_of(entry); },
                              [&](const auto&) { return size_of(path); }},
                   next->second);
    if (!budget.take(size)) break;
    std::visit(
        Overloaded{[&](ChangedEntry& entry) { delta.changed.push_back(std::move(entry)); },
                   [&](UnmergedEntry& entry) { delta.unmerged.push_back(std::move(entry)); },
                   [&](Untracked&) { delta.untracked.push_back(path); },
                   [&](Gone&) {
                     (is_untracked ? delta.removed_untracked : delta.removed).push_back(path);
                   }},
        next->second);
    pending.newer.erase(next);
  }
  budget.move(pending.problems, delta.problems, [](const std::string&) { return false; });

  chunk.more = pending.first_size() + pending.newer.size() + pending.problems.size() > 0;
  if (chunk.more) return chunk;
  StatusDelta& rest = pending.rest;
  delta.place = std::move(rest.place);
  delta.branch = std::move(rest.branch);
  delta.operation = rest.operation;
  delta.details = std::move(rest.details);
  delta.operation_step = std::move(rest.operation_step);
  delta.state = std::move(rest.state);
  delta.unwatched_files = std::move(rest.unwatched_files);
  delta.ignore_rules_changed = rest.ignore_rules_changed;
  delta.content_changed = rest.content_changed;
  pending_.reset();
  return chunk;
}

size_t DeltaMailbox::waiting() {
  MutexLock lock(mutex_);
  if (!pending_) return 0;
  return pending_->first_size() + pending_->newer.size() + pending_->problems.size();
}

}  // namespace resident
