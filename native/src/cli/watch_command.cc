// `git-resident watch [<worktree>]`: a live view of a worktree's status in the terminal; where
// standard output is no terminal, a line for each change; with --json, lines for programs.
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <map>
#include <string>
#include <utility>

#include "cli/commands.h"
#include "cli/json_lines.h"
#include "cli/kept_worktree.h"
#include "porcelain/printed_path.h"

namespace resident {

namespace {

using Clock = std::chrono::steady_clock;

// What stands for a path in the view: the two letters of the short format.
std::string letters_of(const ChangedEntry& entry) {
  auto letter = [](Change change) {
    return change == Change::kNone ? ' ' : static_cast<char>(change);
  };
  return {letter(entry.index), letter(entry.worktree)};
}

std::string quoted_path(std::string_view path) {
  std::string out;
  append_quoted(out, path, false, QuoteSpaces::kNo);
  return out;
}

std::string local_time() {
  const std::time_t now = std::time(nullptr);
  std::tm parts;
  ::localtime_r(&now, &parts);
  char text[16];
  std::strftime(text, sizeof text, "%H:%M:%S", &parts);
  return text;
}

std::string milliseconds(Clock::duration duration) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f ms",
                std::chrono::duration<double, std::milli>(duration).count());
  return text;
}

// The status as deltas have it so far, and how the last one changed it.
class View : public WorktreeTeller {
 public:
  StoppableOutput& output() { return output_; }

  void on_chunk(const DeltaChunk& chunk) override {
    const StatusDelta& delta = chunk.delta;
    // What was lost meanwhile is told anew as a whole, in as many chunks as it takes.
    if (delta.base_version == 0) {
      before_.merge(rows_);
      rows_.clear();
    }
    for (const std::string& path : delta.removed) rows_.erase({false, path});
    for (const std::string& path : delta.removed_untracked) rows_.erase({true, path});
    for (const ChangedEntry& entry : delta.changed) rows_[{false, entry.path}] = letters_of(entry);
    for (const UnmergedEntry& entry : delta.unmerged) rows_[{false, entry.path}] = entry.letters();
    for (const std::string& path : delta.untracked) rows_[{true, path}] = "??";
    if (delta.branch) branch_ = delta.branch;
    if (delta.state) state_ = *delta.state;
    for (const std::string& problem : delta.problems) problem_ = problem;
    const bool by_event = delta.since != Clock::time_point{};
    if (by_event) latency_ = Clock::now() - delta.since;
    show(chunk);
    if (!chunk.more) before_.clear();
  }

  void on_gone(const std::string& message) override {
    state_.kind = ModelState::Kind::kFailed;
    state_.message = message;
    show({});
  }

 protected:
  virtual void show(const DeltaChunk& chunk) = 0;

  struct Counts {
    size_t staged = 0;
    size_t changed = 0;
    size_t unmerged = 0;
    size_t untracked = 0;
  };
  Counts counts() const {
    Counts counts;
    for (const auto& [key, letters] : rows_) {
      if (letters == "??") {
        ++counts.untracked;
      } else if (letters.find('U') != std::string::npos || letters == "AA" || letters == "DD") {
        ++counts.unmerged;
      } else {
        counts.staged += letters[0] != ' ';
        counts.changed += letters[1] != ' ';
      }
    }
    return counts;
  }
  std::string counts_line() const {
    const Counts now = counts();
    return std::to_string(now.staged) + " staged, " + std::to_string(now.changed) + " changed, " +
           std::to_string(now.untracked) + " untracked, " + std::to_string(now.unmerged) +
           " unmerged";
  }
  std::string branch_line() const {
    if (!branch_) return "";
    std::string line =
        branch_->detached ? "HEAD detached at " + branch_->head.hex().substr(0, 10) : branch_->name;
    if (branch_->initial) line += " (no commits yet)";
    if (branch_->has_upstream) line += "..." + branch_->upstream;
    if (branch_->has_upstream && !branch_->upstream_gone && !branch_->counted) line += " +? -?";
    if (branch_->ahead) line += " +" + std::to_string(branch_->ahead);
    if (branch_->behind) line += " -" + std::to_string(branch_->behind);
    return line;
  }

  StoppableOutput output_{STDOUT_FILENO};
  std::map<std::pair<bool, std::string>, std::string> rows_;    // (untracked, path) -> letters
  std::map<std::pair<bool, std::string>, std::string> before_;  // until all is told anew
  std::optional<BranchStatus> branch_;
  ModelState state_;
  std::optional<Clock::duration> latency_;
  std::string problem_;
};

// One line for each thing that changes.
class LineView final : public View {
  void show(const DeltaChunk& chunk) override {
    const StatusDelta& delta = chunk.delta;
    std::string out;
    auto line = [&out, time = local_time() + " "](const std::string& text) {
      out.append(time).append(text).append("\n");
    };
    if (delta.state && delta.state->kind != ModelState::Kind::kScanning) {
      const std::string text = state_line();
      if (std::exchange(state_shown_, text) != text) line(text);
    }
    if (delta.branch) line("## " + branch_line());
    for (const std::string& problem : delta.problems) line("!! " + problem);
    auto row = [&](bool untracked, const std::string& path) {
      line(rows_[{untracked, path}] + " " + quoted_path(path));
    };
    for (const ChangedEntry& entry : delta.changed) row(false, entry.path);
    for (const UnmergedEntry& entry : delta.unmerged) row(false, entry.path);
    for (const std::string& path : delta.untracked) row(true, path);
    auto gone = [&](bool untracked, const std::string& path) {
      // A path that is tracked now and was not has its other row already.
      if (!rows_.contains({!untracked, path})) line("   " + quoted_path(path));
    };
    for (const std::string& path : delta.removed) gone(false, path);
    for (const std::string& path : delta.removed_untracked) gone(true, path);
    if (!chunk.more) {
      for (const auto& [key, letters] : before_) {
        if (!rows_.contains(key)) gone(key.first, key.second);
      }
    }
    output_.write(out);
  }
  // A round that goes on is no news.
  std::string state_line() const {
    ModelState state = state_;
    state.sweep.percent = 0;
    const std::string details = describe_details(state);
    return "== " + describe(state) + (details.empty() ? "" : "; " + details);
  }

  std::string state_shown_;
};

class JsonLines final : public WorktreeTeller {
 public:
  explicit JsonLines(bool details) : details_(details) {}

  bool wants_details() const override { return details_; }
  StoppableOutput& output() { return output_; }

  // The end of who reads is ours.
  void on_chunk(const DeltaChunk& chunk) override { write(json_line(chunk)); }
  void on_gone(const std::string& message) override {
    write(json_line_of_gone(message));
    ::kill(::getpid(), SIGTERM);
  }

 private:
  void write(const std::string& line) {
    if (!output_.write(line)) ::kill(::getpid(), SIGTERM);
  }

  const bool details_;
  StoppableOutput output_{STDOUT_FILENO};
};

// The whole screen, drawn anew with each step.
class ScreenView final : public View {
 public:
  // The terminal's second screen, without a cursor; given back at the end.
  ScreenView() {
    std::fputs("\x1b[?1049h\x1b[?25l", stdout);
    std::fflush(stdout);
  }
  ~ScreenView() override {
    std::fputs("\x1b[?25h\x1b[?1049l", stdout);
    std::fflush(stdout);
  }

 private:
  void show(const DeltaChunk& chunk) override {
    if (chunk.more) return;
    winsize size{24, 80, 0, 0};
    ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    const size_t width = size.ws_col ? size.ws_col : 80;
    const size_t height = size.ws_row ? size.ws_row : 24;
    std::string out = "\x1b[H";
    size_t lines = 0;
    auto line = [&](const std::string& text, const char* color = "") {
      if (lines + 1 >= height) return;
      ++lines;
      out.append(color).append(text.substr(0, width)).append("\x1b[0m\x1b[K\r\n");
    };
    line(branch_line(), "\x1b[1m");
    line(describe(state_), state_.kind == ModelState::Kind::kWatching ? "\x1b[32m" : "\x1b[33m");
    line(counts_line());
    line(latency_
             ? "last update " + local_time() + ", " + milliseconds(*latency_) + " after the event"
             : "");
    line(describe_details(state_));
    if (!problem_.empty()) line(problem_, "\x1b[31m");
    line("");
    size_t shown = 0;
    for (const auto& [key, letters] : rows_) {
      if (lines + 2 >= height && shown + 1 < rows_.size()) break;
      ++shown;
      line(letters + " " + quoted_path(key.second),
           letters[0] != ' ' && letters[1] == ' ' ? "\x1b[32m" : "\x1b[31m");
    }
    if (shown < rows_.size()) line("and " + std::to_string(rows_.size() - shown) + " more");
    out += "\x1b[J";
    output_.write(out);
  }
};

}  // namespace

int watch_command(const Arguments& arguments) {
  Arguments rest = arguments;
  const std::optional<std::chrono::milliseconds> sweep = take_sweep_option(rest);
  const bool for_programs = std::erase(rest, "--json") > 0;
  const bool details = std::erase(rest, "--details") > 0;
  if (!sweep || rest.size() > 1 || (details && !for_programs)) {
    std::fputs(
        "usage: git-resident watch [--json [--details]] [--sweep=<minutes>|off] [<worktree>]\n",
        stderr);
    return 129;
  }
  const std::string path = rest.empty() ? "" : rest[0];
  if (for_programs) {
    JsonLines lines(details);
    return keep_worktree(path, *sweep, lines, {&lines.output()});
  }
  if (::isatty(STDOUT_FILENO)) {
    ScreenView view;
    return keep_worktree(path, *sweep, view, {&view.output()});
  }
  LineView view;
  return keep_worktree(path, *sweep, view, {&view.output()});
}

}  // namespace resident
