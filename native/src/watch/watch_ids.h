// The backend of a watch, by its id. inotify numbers watches upwards from 1. Ids of fanotify are
// our own, and go downwards. Hints begin at the lowest number. A recursive watch is 0.
#pragma once

#include <limits>

#include "watch/batch.h"

namespace resident {

inline constexpr WatchId kRootWatch = 0;
inline constexpr WatchId kFirstHint = std::numeric_limits<WatchId>::min();
inline constexpr WatchId kHintsEnd = kFirstHint / 2;

constexpr bool is_hint(WatchId id) {
  return id < kHintsEnd;
}
constexpr bool is_of_fanotify(WatchId id) {
  return id >= kHintsEnd && id < kNoWatch;
}

}  // namespace resident
