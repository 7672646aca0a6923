#include "watch/linux/fanotify/marked_directories.h"

#include <utility>

#include "watch/watch_ids.h"

namespace resident {

WatchId MarkedDirectories::enter(std::string_view key, std::string_view path) {
  std::string both;
  both.reserve(key.size() + path.size());
  both.append(key).append(path);
  if (const auto known = by_key_.find(key); known != by_key_.end()) {
    Marked& marked = **known;
    // Its first part, which the table is ordered by, is as it was.
    marked.key_and_path = std::move(both);
    if (std::exchange(marked.is_left, false)) --left_;
    return marked.id;
  }
  if (last_ == kHintsEnd) return kNoWatch;
  auto made = std::make_unique<Marked>(Marked{--last_, false, key.size(), std::move(both)});
  by_id_.emplace(last_, made.get());
  by_key_.insert(std::move(made));
  return last_;
}

WatchId MarkedDirectories::find(std::string_view key) const {
  const auto known = by_key_.find(key);
  return known == by_key_.end() ? kNoWatch : (*known)->id;
}

const MarkedDirectories::Marked* MarkedDirectories::find(WatchId id) const {
  const auto known = by_id_.find(id);
  return known == by_id_.end() ? nullptr : known->second;
}

void MarkedDirectories::leave(WatchId id) {
  const auto known = by_id_.find(id);
  if (known != by_id_.end() && !std::exchange(known->second->is_left, true)) ++left_;
}

void MarkedDirectories::erase(WatchId id) {
  const auto known = by_id_.find(id);
  if (known == by_id_.end()) return;
  if (known->second->is_left) --left_;
  by_key_.erase(by_key_.find(known->second->key()));
  by_id_.erase(known);
}

void MarkedDirectories::clear() {
  (void)std::exchange(by_id_, {});  // with its table
  (void)std::exchange(by_key_, {});
  left_ = 0;
}

}  // namespace resident
