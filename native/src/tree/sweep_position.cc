#include "tree/sweep_position.h"

#include <algorithm>
#include <utility>

namespace resident {

DirectoryNode* SweepPosition::next(const FindNode& find) const {
  if (!begun_) return find("");
  DirectoryNode* last = find(directory_);
  if (last && !file_.empty()) return last;
  if (last && !last->children().empty()) return last->children().front().get();
  std::string_view path = directory_;
  while (!path.empty()) {
    path.remove_suffix(1);
    const size_t slash = path.rfind('/') + 1;
    const std::string_view name = path.substr(slash);
    path = path.substr(0, slash);
    const DirectoryNode* parent = find(path);
    if (!parent) continue;
    const auto& children = parent->children();
    const auto next = std::upper_bound(
        children.begin(), children.end(), name,
        [](std::string_view after, const auto& child) { return after < child->name; });
    if (next != children.end()) return next->get();
  }
  return nullptr;
}

std::string SweepPosition::visited_in(const std::string& path) const {
  return begun_ && path == directory_ ? file_ : std::string();
}

void SweepPosition::record_visited(std::string path, std::string file, uint64_t looks) {
  begun_ = true;
  directory_ = std::move(path);
  file_ = std::move(file);
  looks_ += looks;
}

void SweepPosition::end_round() {
  ++rounds_;
  begun_ = false;
  directory_.clear();
  file_.clear();
  looks_ = linked_beyond_ = 0;
}

void SweepPosition::restart() {
  end_round();
  rules_.clear();
}

SweepPosition::Seen SweepPosition::see_rules(const std::string& path,
                                             const std::optional<FileStat>& stat, Timestamp at) {
  if (!stat) {
    rules_.erase(path);
    return Seen::kGone;
  }
  const auto [known, is_first] = rules_.try_emplace(path);
  const bool same = !is_first && known->second.is_current(*stat);
  known->second = CachedStat{*stat, at};
  return same ? Seen::kSame : is_first ? Seen::kFirst : Seen::kChanged;
}

}  // namespace resident
