// What `git-resident watch` shows in a terminal, as lines: no terminal is touched here.
//
// From above: the branch and what git is in the middle of; how the worktree is kept; counts; the
// groups with their rows, of which those that do not fit are counted; the last changes; the keys.
// A screen that is too small for all of it leaves out what matters less, the groups last.
#pragma once

#include <string>
#include <vector>

#include "cli/watch_state.h"
#include "porcelain/colors.h"

namespace resident {

struct WatchLook {
  bool colored = true;  // false: no escape sequence at all
  StatusPalette palette = {};
  bool quote_high_bytes = false;  // core.quotePath
};

struct WatchSize {
  size_t rows = 24;
  size_t columns = 80;
};

struct WatchLines {
  // Without ends; as many as rows at most, each as many columns at most. A line that has colours
  // ends with the plain one.
  std::vector<std::string> lines;
  size_t top = 0;   // the one that was asked for, no further than the list goes
  size_t page = 1;  // so many lines further is the next page
};

// `top`: the first line of the groups that is shown.
WatchLines watch_lines(const WatchState& state, const WatchSize& size, const WatchLook& look,
                       size_t top);

}  // namespace resident
