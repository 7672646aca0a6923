#include "cli/watch_lines.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string_view>
#include <utility>

#include "cli/kept_worktree.h"
#include "cli/text_columns.h"

namespace resident {

namespace {

constexpr std::string_view kPlain = "\033[m";
constexpr std::string_view kBold = "\033[1m";
constexpr std::string_view kDim = "\033[2m";

constexpr WatchGroup kGroups[] = {WatchGroup::kConflicts, WatchGroup::kStaged, WatchGroup::kChanged,
                                  WatchGroup::kUntracked};

std::string_view title_of(WatchGroup group) {
  constexpr std::string_view kTitles[] = {"Merge conflicts", "Staged changes", "Changes",
                                          "Untracked files"};
  return kTitles[static_cast<size_t>(group)];
}

const std::string& color_of(WatchGroup group, const StatusPalette& palette) {
  switch (group) {
    case WatchGroup::kConflicts:
      return palette.unmerged;
    case WatchGroup::kStaged:
      return palette.updated;
    case WatchGroup::kChanged:
      return palette.changed;
    case WatchGroup::kUntracked:
      break;
  }
  return palette.untracked;
}

std::string_view name_of_operation(Operation operation) {
  constexpr std::string_view kNames[] = {
      "", "merging", "rebasing", "cherry-picking", "reverting", "bisecting", "applying patches"};
  return kNames[static_cast<size_t>(operation)];
}

// A line under way: pieces with colours, until the columns are used up.
class Line {
 public:
  Line(const WatchLook& look, size_t columns) : look_(look), columns_(columns) {}

  Line& add(std::string_view printable, std::string_view color = {}) {
    return add_cut(cut_end(printable, left()), color);
  }
  Line& add_path(std::string_view printable, std::string_view color) {
    return add_cut(cut_front(printable, left()), color);
  }
  std::string take() { return std::move(text_); }

 private:
  size_t left() const { return columns_ - used_; }
  Line& add_cut(const std::string& text, std::string_view color) {
    used_ += columns_of(text);
    const bool colored = look_.colored && !color.empty() && !text.empty();
    if (colored) text_ += color;
    text_ += text;
    if (colored) text_ += kPlain;
    return *this;
  }

  const WatchLook& look_;
  const size_t columns_;
  size_t used_ = 0;
  std::string text_;
};

class Painter {
 public:
  Painter(const WatchState& state, const WatchSize& size, const WatchLook& look)
      : state_(state), size_(size), look_(look) {}

  WatchLines paint(size_t top) {
    const bool is_tall = size_.rows >= 12;
    result_.lines.push_back(branch_line());
    if (is_tall || (size_.rows >= 3 && !is_plain()))
      add_text(describe(state_.state()), state_color());
    if (is_tall) {
      if (std::string details = describe_details(state_.state()); !details.empty()) {
        add_text(details, kDim);
      }
      if (!state_.problem().empty()) add_text(state_.problem(), look_.palette.unmerged);
    }
    if (size_.rows >= 2) add_text(counts());
    if (size_.rows >= 20) result_.lines.emplace_back();
    std::vector<std::string> below = foot();
    const size_t used = result_.lines.size() + below.size();
    const size_t rows = size_.rows > used ? size_.rows - used : 0;
    add_groups(rows, top);
    // What stands at the bottom stays there.
    while (!below.empty() && result_.lines.size() + below.size() < size_.rows) {
      result_.lines.emplace_back();
    }
    std::move(below.begin(), below.end(), std::back_inserter(result_.lines));
    result_.lines.resize(std::min(result_.lines.size(), size_.rows));
    return std::move(result_);
  }

 private:
  Line line() const { return {look_, size_.columns}; }
  void add_text(std::string_view text, std::string_view color = {}) {
    result_.lines.push_back(line().add(printable_text(text), color).take());
  }

  // Nothing but the status is to be told.
  bool is_plain() const { return state_.state().kind == ModelState::Kind::kWatching; }
  std::string_view state_color() const {
    if (is_plain()) return kDim;
    const bool failed = state_.state().kind == ModelState::Kind::kFailed;
    return failed ? std::string_view(look_.palette.unmerged) : kBold;
  }

  std::string branch_line() const {
    const StatusPalette& palette = look_.palette;
    Line line = this->line();
    if (const std::optional<BranchStatus>& branch = state_.branch()) {
      if (branch->detached) {
        line.add("HEAD detached at " + branch->head.hex().substr(0, 10), palette.no_branch);
      } else {
        line.add(printable_text(branch->name), palette.local_branch);
      }
      if (branch->initial) line.add(" (no commits yet)");
      if (branch->has_upstream) add_upstream(*branch, line);
    }
    if (state_.operation() != Operation::kNone) {
      const std::string& step = state_.operation_step();
      line.add(std::string("  ").append(name_of_operation(state_.operation())), kBold);
      if (!step.empty()) line.add(" " + printable_text(step), kBold);
    }
    return line.take();
  }
  void add_upstream(const BranchStatus& branch, Line& line) const {
    const StatusPalette& palette = look_.palette;
    line.add("...").add(printable_text(branch.upstream), palette.remote_branch);
    if (branch.upstream_gone) {
      line.add(" [gone]");
      return;
    }
    if (!branch.counted) {
      line.add(" [ahead ?, behind ?]");
      return;
    }
    if (branch.ahead == 0 && branch.behind == 0) return;
    line.add(" [");
    if (branch.ahead) line.add("ahead ").add(std::to_string(branch.ahead), palette.local_branch);
    if (branch.ahead && branch.behind) line.add(", ");
    if (branch.behind) {
      line.add("behind ").add(std::to_string(branch.behind), palette.remote_branch);
    }
    line.add("]");
  }

  size_t count(WatchGroup group) const { return state_.rows(group).size(); }
  std::string counts() const {
    constexpr std::string_view kWords[] = {"conflicts", "staged", "changed", "untracked"};
    std::string text;
    for (const WatchGroup group : kGroups) {
      if (count(group) == 0) continue;
      if (!text.empty()) text += ", ";
      text.append(std::to_string(count(group))).append(" ");
      text.append(count(group) == 1 && group == WatchGroup::kConflicts
                      ? "conflict"
                      : kWords[static_cast<size_t>(group)]);
    }
    if (!text.empty()) return text;
    const bool is_known = state_.state().kind != ModelState::Kind::kScanning &&
                          state_.state().kind != ModelState::Kind::kFailed;
    return is_known ? "nothing to commit, working tree clean" : "";
  }

  // --- The groups: a heading and its rows each ---

  size_t count_group_lines() const {
    size_t lines = 0;
    for (const WatchGroup group : kGroups) lines += count(group) ? count(group) + 1 : 0;
    return lines;
  }

  // Rows among the first `lines` lines of all groups.
  size_t rows_before(size_t lines) const {
    size_t rows = 0;
    for (const WatchGroup group : kGroups) {
      if (lines == 0) break;
      if (count(group) == 0) continue;
      const size_t here = std::min(lines - 1, count(group));
      rows += here;
      lines -= here + 1;
    }
    return rows;
  }

  void add_groups(size_t room, size_t top) {
    const size_t all = count_group_lines();
    result_.page = std::max<size_t>(room, 3) - 2;
    if (room == 0) return;
    top = result_.top = std::min(top, all > room ? all - room : 0);
    const size_t end = std::min(all, top + room);
    // The first and the last line say what is not shown, instead of what they are.
    const bool begins_above = top > 0 && room > 1;
    const bool ends_below = end < all;
    if (begins_above) {
      add_text("… " + std::to_string(rows_before(top + 1)) + " above", kDim);
    }
    add_group_lines(top + begins_above, end - ends_below);
    if (!ends_below) return;
    const size_t below = rows_before(all) - rows_before(end - 1);
    add_text("… and " + std::to_string(below) + " more", kDim);
  }

  // The lines [first, last) of all groups.
  void add_group_lines(size_t first, size_t last) {
    size_t at = 0;
    for (const WatchGroup group : kGroups) {
      const WatchState::Rows& rows = state_.rows(group);
      const size_t lines = rows.empty() ? 0 : rows.size() + 1;
      const size_t begin = std::max(first, at);
      const size_t end = std::min(last, at + lines);
      if (begin < end) {
        if (begin == at) add_heading(group);
        const size_t skipped = begin == at ? 0 : begin - at - 1;
        auto row = std::next(rows.begin(), static_cast<std::ptrdiff_t>(skipped));
        for (size_t i = std::max(begin, at + 1); i < end; ++i, ++row) add_row(group, *row);
      }
      at += lines;
    }
  }
  void add_heading(WatchGroup group) {
    result_.lines.push_back(line()
                                .add(title_of(group), kBold)
                                .add(" (" + std::to_string(count(group)) + ")", kDim)
                                .take());
  }
  void add_row(WatchGroup group, const WatchState::Rows::value_type& row) {
    const auto& [path, value] = row;
    std::string text = shown(path);
    if (!value.from.empty()) text = shown(value.from) + " -> " + text;
    const std::string& color = color_of(group, look_.palette);
    Line line = this->line();
    line.add("  ").add(value.letters, color).add(value.letters.size() < 2 ? "  " : " ");
    result_.lines.push_back(line.add_path(text, color).take());
  }
  std::string shown(std::string_view path) const {
    return printable_path(path, look_.quote_high_bytes);
  }

  // --- The last changes, and the keys ---

  std::vector<std::string> foot() const {
    std::vector<std::string> lines;
    constexpr size_t kMax = 8;
    const size_t room = size_.rows < 8 ? 0 : size_.rows < 16 ? 1 : size_.rows / 5;
    const size_t shown = std::min({room, kMax, state_.changes().size()});
    const bool has_heading = shown > 0 && size_.rows >= 16;
    if (has_heading) {
      lines.emplace_back();
      lines.push_back(line().add("Last changes", kBold).take());
    }
    for (size_t i = 0; i < shown; ++i) lines.push_back(change_line(state_.changes()[i]));
    if (size_.rows >= 10) {
      lines.push_back(line().add("q: quit, arrows and PgUp/PgDn: scroll", kDim).take());
    }
    return lines;
  }
  std::string change_line(const WatchedChange& change) const {
    char latency[32] = "             ";
    if (change.latency) {
      std::snprintf(latency, sizeof latency, "%8.2f ms  ",
                    std::chrono::duration<double, std::milli>(*change.latency).count());
    }
    Line line = this->line();
    line.add("  " + change.time + " ", kDim).add(latency);
    if (change.letters.empty()) return line.add("branch").take();
    const std::string others =
        change.others > 0 ? " and " + std::to_string(change.others) + " more" : "";
    line.add(change.letters + (change.letters.size() < 2 ? "  " : " "));
    return line.add_path(shown(change.path) + others, {}).take();
  }

  const WatchState& state_;
  const WatchSize& size_;
  const WatchLook& look_;
  WatchLines result_;
};

}  // namespace

WatchLines watch_lines(const WatchState& state, const WatchSize& size, const WatchLook& look,
                       size_t top) {
  return Painter(state, size, look).paint(top);
}

}  // namespace resident
