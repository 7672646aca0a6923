#include "index/entry_moves.h"

#include <algorithm>
#include <cstring>

namespace resident {

std::optional<uint32_t> EntryMoves::now(uint32_t before) const {
  const auto gone = std::lower_bound(removed_.begin(), removed_.end(), before);
  if (gone != removed_.end() && *gone == before) return std::nullopt;
  const auto kept = before - static_cast<uint32_t>(gone - removed_.begin());
  // added_[k] - k is the number of kept entries before the k-th added entry.
  size_t low = 0;
  size_t high = added_.size();
  while (low < high) {
    const size_t k = (low + high) / 2;
    if (added_[k] - static_cast<uint32_t>(k) <= kept) {
      low = k + 1;
    } else {
      high = k;
    }
  }
  return kept + static_cast<uint32_t>(low);
}

void EntryMoves::apply(void* values, size_t width, size_t before) const {
  auto* const bytes = static_cast<uint8_t*>(values);
  const auto move = [=](size_t to, size_t first, size_t end) {
    if (to != first && end > first) {
      std::memmove(bytes + to * width, bytes + first * width, (end - first) * width);
    }
  };
  size_t kept = removed_.empty() ? before : removed_[0];
  for (size_t k = 0; k < removed_.size(); ++k) {
    const size_t first = removed_[k] + size_t{1};
    const size_t end = k + 1 < removed_.size() ? removed_[k + 1] : before;
    move(kept, first, end);
    kept += end - first;
  }
  size_t end = kept;
  for (size_t k = added_.size(); k-- > 0;) {
    const size_t first = added_[k] - k;
    move(added_[k] + size_t{1}, first, end);
    end = first;
  }
}

}  // namespace resident
