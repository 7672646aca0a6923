#include "watch/batch.h"

#include <algorithm>
#include <utility>

namespace resident {

namespace {

// Size of a map node in malloc, and its share of the hash table.
constexpr size_t kDirectoryCost = 208;
constexpr size_t kNameCost = 80;

size_t cost_of(std::string_view name) {
  const bool is_inline = name.size() <= std::string().capacity();
  return kNameCost + (is_inline ? 0 : name.size() + 24);
}

}  // namespace

void Batch::begin(Time now) {
  since_ = empty() ? now : std::min(since_, now);
}

void Batch::make_whole(DirectoryMarks& marks, bool arrived) {
  for (const auto& [name, mark] : marks.names) {
    bytes_ -= cost_of(name);
    arrived |= mark.arrived;
  }
  (void)std::exchange(marks.names, {});  // frees the table too
  marks.whole = true;
  marks.arrived |= arrived;
}

// Call it after adding to one of them.
void Batch::hold_limits(DirectoryMarks& marks) {
  if (marks.names.size() > limits_.names) make_whole(marks, false);
  hold_bytes();
}

void Batch::hold_bytes() {
  if (bytes_ > limits_.bytes) {
    desync("too many changes are pending", Lost::kEvents, since_);
  }
}

void Batch::mark(WatchId directory, std::string_view name, NameMark mark, Time now) {
  if (!desynced_.empty()) return;
  begin(now);
  const auto [known, is_new] = directories_.try_emplace(directory);
  if (is_new) bytes_ += kDirectoryCost;
  DirectoryMarks& marks = known->second;
  if (marks.whole) {
    marks.arrived |= mark.arrived;
    return;
  }
  const auto [entry, is_new_name] = marks.names.try_emplace(std::string(name));
  entry->second.arrived |= mark.arrived;
  if (is_new_name) bytes_ += cost_of(name);
  hold_limits(marks);
}

void Batch::mark_path(std::string_view path, PathMark mark, Time now) {
  if (!desynced_.empty()) return;
  begin(now);
  const auto [entry, is_new] = paths_.try_emplace(std::string(path));
  entry->second.below |= mark.below;
  if (is_new) bytes_ += cost_of(path);
  hold_bytes();
}

void Batch::desync(std::string reason, Lost lost, Time now) {
  begin(now);
  (void)std::exchange(directories_, {});
  paths_.clear();
  bytes_ = 0;
  watches_lost_ |= lost == Lost::kWatches;
  if (desynced_.empty()) desynced_ = std::move(reason);
}

void Batch::merge(Batch later) {
  if (later.empty()) return;
  begin(later.since_);
  if (!later.desynced_.empty()) {
    const Lost lost = later.watches_lost_ ? Lost::kWatches : Lost::kEvents;
    return desync(std::move(later.desynced_), lost, later.since_);
  }
  if (!desynced_.empty()) return;
  if (directories_.empty() && paths_.empty() && later.limits_ == limits_) {
    directories_ = std::move(later.directories_);
    paths_ = std::move(later.paths_);
    bytes_ = later.bytes_;
    return;
  }
  for (const auto& [path, mark] : later.paths_) mark_path(path, mark, later.since_);
  if (!desynced_.empty()) return;
  for (auto& [directory, added] : later.directories_) {
    const auto [known, is_new] = directories_.try_emplace(directory);
    if (is_new) bytes_ += kDirectoryCost;
    DirectoryMarks& marks = known->second;
    if (added.whole && !marks.whole) make_whole(marks, added.arrived);
    while (!added.names.empty()) {
      auto name = added.names.extract(added.names.begin());
      const bool arrived = name.mapped().arrived;
      const size_t cost = cost_of(name.key());
      if (marks.whole) {
        marks.arrived |= arrived;
        continue;
      }
      const auto inserted = marks.names.insert(std::move(name));
      inserted.position->second.arrived |= arrived;
      if (inserted.inserted) bytes_ += cost;
    }
    marks.arrived |= added.arrived;
    hold_limits(marks);
    if (!desynced_.empty()) return;
  }
}

Batch Batch::take() {
  return std::exchange(*this, Batch(limits_));
}

}  // namespace resident
