// Whose watch it is, by its id: inotify numbers its own upwards from 1, those of fanotify are
// numbered downwards by us, and hints begin at the least number that there is.
#pragma once

#include <limits>

#include "watch/batch.h"

namespace resident {

inline constexpr WatchId kFirstHint = std::numeric_limits<WatchId>::min();
inline constexpr WatchId kHintsEnd = kFirstHint / 2;

constexpr bool is_hint(WatchId id) {
  return id < kHintsEnd;
}
constexpr bool is_of_fanotify(WatchId id) {
  return id >= kHintsEnd && id < kNoWatch;
}

}  // namespace resident
