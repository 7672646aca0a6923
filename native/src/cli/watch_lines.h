// The terminal view of `git-resident watch`, as lines. This code does not touch a terminal.
//
// The order from the top is:
// - the branch and the operation in progress,
// - how the worktree is kept,
// - counts,
// - the groups with their rows, and a count of the rows that do not fit,
// - the last changes,
// - the keys.
//
// A small screen leaves out the less important parts. The groups are left out last.
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
  // Lines without newlines: at most `rows` lines of at most `columns` columns. A line with colours
  // ends with a reset.
  std::vector<std::string> lines;
  size_t top = 0;   // the requested first line, limited to the end of the list
  size_t page = 1;  // number of lines to the next page
};

// `top`: the first visible line of the groups.
WatchLines watch_lines(const WatchState& state, const WatchSize& size, const WatchLook& look,
                       size_t top);

}  // namespace resident
