#include "porcelain/long_format.h"

#include <algorithm>
#include <cstdio>

#include "porcelain/long_format_parts.h"

namespace resident {

namespace {

LongSummary summary_of(const StatusResult& status) {
  LongSummary summary;
  summary.initial = status.branch->initial;
  summary.has_conflicts = !status.unmerged.empty();
  summary.worktree_differs =
      summary.has_conflicts ||
      std::any_of(status.changed.begin(), status.changed.end(),
                  [](const ChangedEntry& entry) { return entry.worktree != Change::kNone; });
  const bool has_staged =
      std::any_of(status.changed.begin(), status.changed.end(),
                  [](const ChangedEntry& entry) { return entry.index != Change::kNone; });
  // Before the first commit git counts conflicts as something to commit.
  summary.committable = has_staged || (summary.initial && summary.has_conflicts) ||
                        (status.operation->merging && !summary.has_conflicts);
  return summary;
}

void print_untracked(const StatusResult& status, const LongSummary& summary,
                     const LongFormatOptions& options, LongFormatWriter& out) {
  if (options.untracked == UntrackedMode::kNo) {
    if (!summary.committable) return;
    out.line("", std::string("Untracked files not listed") +
                     (options.hints ? " (use -u option to show untracked files)" : ""));
    return;
  }
  print_others(status, out);
  if (!options.tell_slow_enumerating || status.enumerating <= kSlow) return;
  char text[64];
  std::snprintf(text, sizeof text, "It took %.2f seconds to enumerate untracked files",
                static_cast<double>(status.enumerating.count()) / 1000.0);
  const std::string took = text;
  out.line("", "");
  if (!out.rules().points_to_help_when_slow) {
    out.line("", took +
                     ". 'status -uno'\n"
                     "may speed it up, but you have to be careful not to forget to add\n"
                     "new files yourself (see 'git help status').");
    return;
  }
  out.line("", took + (options.results_are_cached
                           ? ",\nbut the results were cached, and subsequent runs may be faster."
                           : "."));
  out.line("", "See 'git help status' for information on how to improve this.");
  out.line("", "");
}

// The reason why there is nothing to commit. These sentences are never commented out.
const char* nothing_to_commit(const StatusResult& status, const LongSummary& summary,
                              const LongFormatOptions& options) {
  const auto with_hint = [&options](const char* with, const char* without) {
    return options.hints ? with : without;
  };
  if (summary.worktree_differs) {
    return with_hint("no changes added to commit (use \"git add\" and/or \"git commit -a\")\n",
                     "no changes added to commit\n");
  }
  if (!status.untracked.empty()) {
    return with_hint(
        "nothing added to commit but untracked files present (use \"git add\" to track)\n",
        "nothing added to commit but untracked files present\n");
  }
  if (summary.initial) {
    return with_hint("nothing to commit (create/copy files and use \"git add\" to track)\n",
                     "nothing to commit\n");
  }
  if (options.untracked == UntrackedMode::kNo) {
    return with_hint("nothing to commit (use -u to show untracked files)\n", "nothing to commit\n");
  }
  return "nothing to commit, working tree clean\n";
}

}  // namespace

void print_long(const StatusResult& status, const PrintOptions& options, std::string& text) {
  LongFormatWriter out(options, text);
  const LongSummary summary = summary_of(status);
  print_branch(status, options, out);
  print_operation(status, summary, out);
  if (summary.initial) {
    out.empty_header();
    out.header("No commits yet");
    out.empty_header();
  }
  print_tracked(status, summary, out);
  print_untracked(status, summary, options.long_format, out);
  if (!summary.committable) {
    out.plain(nothing_to_commit(status, summary, options.long_format));
  }
  if (status.stash_count > 0) {
    out.line("", "Your stash currently has " + std::to_string(status.stash_count) +
                     (status.stash_count == 1 ? " entry" : " entries"));
  }
}

}  // namespace resident
