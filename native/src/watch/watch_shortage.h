// WatchShortage: a limit of the system that leaves directories without a watch.
#pragma once

#include <cstdint>
#include <string>

namespace resident {

struct WatchShortage {
  std::string limit;    // the limit's name
  uint64_t needed = 0;  // a value that suffices for all directories
  std::string command;  // for a terminal: sets the limit to `needed`
  friend bool operator==(const WatchShortage&, const WatchShortage&) = default;
};

}  // namespace resident
