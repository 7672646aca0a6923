// `git-resident watch [<worktree>]`: a live view of a worktree's status in the terminal
// (cli/watch_screen.h). If standard output is no terminal or a dumb terminal, it prints a line per
// change. With --json it prints lines for programs.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "cli/commands.h"
#include "cli/json_lines.h"
#include "cli/kept_worktree.h"
#include "cli/watch_screen.h"
#include "os/signals.h"
#include "os/standard_streams.h"
#include "porcelain/printed_path.h"

namespace resident {

namespace {

// The two letters of the short format.
std::string short_letters_of(const ChangedEntry& entry) {
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

// Prints a line for each change.
class LineView final : public WorktreeTeller {
 public:
  StoppableOutput& output() { return output_; }

  void on_chunk(const DeltaChunk& chunk) override {
    const StatusDelta& delta = chunk.delta;
    // Lost deltas are replayed as the complete state, in as many chunks as needed.
    if (delta.base_version == 0) {
      before_.merge(rows_);
      rows_.clear();
    }
    for (const std::string& path : delta.removed) rows_.erase({false, path});
    for (const std::string& path : delta.removed_untracked) rows_.erase({true, path});
    for (const ChangedEntry& entry : delta.changed)
      rows_[{false, entry.path}] = short_letters_of(entry);
    for (const UnmergedEntry& entry : delta.unmerged) rows_[{false, entry.path}] = entry.letters();
    for (const std::string& path : delta.untracked) rows_[{true, path}] = "??";
    tell(chunk);
    if (!chunk.more) before_.clear();
  }

  void on_gone(const std::string&) override {}

 private:
  void tell(const DeltaChunk& chunk) {
    const StatusDelta& delta = chunk.delta;
    std::string out;
    auto line = [&out, time = time_of_day(std::time(nullptr)) + " "](const std::string& text) {
      out.append(time).append(text).append("\n");
    };
    if (delta.state && delta.state->kind != ModelState::Kind::kScanning) {
      const std::string text = state_line(*delta.state);
      if (std::exchange(state_shown_, text) != text) line(text);
    }
    if (delta.branch) line("## " + branch_line(*delta.branch));
    for (const std::string& problem : delta.problems) line("!! " + problem);
    auto row = [&](bool untracked, const std::string& path) {
      line(rows_[{untracked, path}] + " " + quoted_path(path));
    };
    for (const ChangedEntry& entry : delta.changed) row(false, entry.path);
    for (const UnmergedEntry& entry : delta.unmerged) row(false, entry.path);
    for (const std::string& path : delta.untracked) row(true, path);
    auto gone = [&](bool untracked, const std::string& path) {
      // A path that became tracked or untracked already has its other row.
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
  // The progress of a sweep is not printed.
  static std::string state_line(ModelState state) {
    state.sweep.percent = 0;
    const std::string details = describe_details(state);
    return "== " + describe(state) + (details.empty() ? "" : "; " + details);
  }
  static std::string branch_line(const BranchStatus& branch) {
    std::string line =
        branch.detached ? "HEAD detached at " + branch.head.hex().substr(0, 10) : branch.name;
    if (branch.initial) line += " (no commits yet)";
    if (branch.has_upstream) line += "..." + branch.upstream;
    if (branch.has_upstream && !branch.upstream_gone && !branch.counted) line += " +? -?";
    if (branch.ahead) line += " +" + std::to_string(branch.ahead);
    if (branch.behind) line += " -" + std::to_string(branch.behind);
    return line;
  }

  StoppableOutput output_{kStandardOutput};
  std::map<std::pair<bool, std::string>, std::string> rows_;    // (untracked, path) -> letters
  std::map<std::pair<bool, std::string>, std::string> before_;  // during a replay: the old rows
  std::string state_shown_;
};

class JsonLines final : public WorktreeTeller {
 public:
  explicit JsonLines(bool details) : details_(details) {}

  bool wants_details() const override { return details_; }
  StoppableOutput& output() { return output_; }

  // If the reader ends, this program ends too.
  void on_chunk(const DeltaChunk& chunk) override { write(json_line(chunk)); }
  void on_gone(const std::string& message) override {
    write(json_line_of_gone(message));
    request_end();
  }

 private:
  void write(const std::string& line) {
    if (!output_.write(line)) request_end();
  }

  const bool details_;
  StoppableOutput output_{kStandardOutput};
};

}  // namespace

int watch_command(FileSystem& fs, const Arguments& arguments) {
  Arguments rest = arguments;
  const std::optional<std::chrono::milliseconds> sweep = parse_sweep_option(rest);
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
  const char* const kind = std::getenv("TERM");
  const bool is_dumb = kind && std::string_view(kind) == "dumb";
  if (is_terminal(kStandardOutput) && !is_dumb) return watch_in_terminal(fs, path, *sweep);
  LineView view;
  return keep_worktree(path, *sweep, view, {&view.output()});
}

}  // namespace resident
