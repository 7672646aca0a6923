#include <algorithm>

#include "porcelain/long_format_parts.h"

namespace resident {

namespace {

constexpr size_t kChangeWidth = 12;
constexpr size_t kConflictWidth = 17;

std::string padded(std::string label, size_t width) {
  label.resize(std::max(width, label.size()), ' ');
  return label;
}

const char* change_label(Change change) {
  switch (change) {
    case Change::kAdded:
      return "new file:";
    case Change::kCopied:
      return "copied:";
    case Change::kDeleted:
      return "deleted:";
    case Change::kModified:
      return "modified:";
    case Change::kRenamed:
      return "renamed:";
    case Change::kTypeChanged:
      return "typechange:";
    case Change::kNone:
      break;
  }
  return "";
}

const char* conflict_label(int stage_mask) {
  constexpr const char* kLabels[] = {"",
                                     "both deleted:",
                                     "added by us:",
                                     "deleted by them:",
                                     "added by them:",
                                     "deleted by us:",
                                     "both added:",
                                     "both modified:"};
  return kLabels[stage_mask & 7];
}

std::string submodule_comment(const SubmoduleState& state) {
  std::string what;
  const auto add = [&what](bool applies, const char* text) {
    if (applies) what += (what.empty() ? "" : ", ") + std::string(text);
  };
  add(state.new_commits, "new commits");
  add(state.modified_content, "modified content");
  add(state.untracked_content, "untracked content");
  return what.empty() ? what : " (" + what + ")";
}

void print_change(const ChangedEntry& entry, Change change, const std::string& color,
                  const std::string& comment, LongFormatWriter& out) {
  // A source belongs to the side with the rename or copy.
  const bool has_source =
      !entry.from.empty() && (change == Change::kRenamed || change == Change::kCopied);
  out.begin(out.palette().header, "\t");
  out.piece(color, padded(change_label(change), kChangeWidth) +
                       (has_source ? out.path(entry.from) + " -> " : "") + out.path(entry.path));
  if (!comment.empty()) out.piece(out.palette().header, comment);
  out.plain("\n");
}

void print_unstage_hint(const StatusResult& status, const LongSummary& summary,
                        LongFormatWriter& out) {
  if (status.operation->commit_concludes) return;
  out.hint(summary.initial ? "  (use \"git rm --cached <file>...\" to unstage)"
                           : "  (use \"git restore --staged <file>...\" to unstage)");
}

void print_staged(const StatusResult& status, const LongSummary& summary, LongFormatWriter& out) {
  bool any = false;
  for (const ChangedEntry& entry : status.changed) {
    if (entry.index == Change::kNone) continue;
    if (!any) {
      out.header("Changes to be committed:");
      print_unstage_hint(status, summary, out);
    }
    any = true;
    print_change(entry, entry.index, out.palette().updated, "", out);
  }
  if (any) out.empty_header();
}

const char* resolution_hint(const std::vector<UnmergedEntry>& entries) {
  constexpr int kBothDeleted = 1, kDeletedByThem = 3, kDeletedByUs = 5;
  const auto has = [&entries](auto matches) {
    return std::any_of(entries.begin(), entries.end(),
                       [&](const UnmergedEntry& entry) { return matches(entry.stage_mask()); });
  };
  const bool both = has([](int mask) { return mask == kBothDeleted; });
  const bool one = has([](int mask) { return mask == kDeletedByThem || mask == kDeletedByUs; });
  const bool none = has([](int mask) {
    return mask != kBothDeleted && mask != kDeletedByThem && mask != kDeletedByUs;
  });
  if (!both && !one) return "  (use \"git add <file>...\" to mark resolution)";
  if (both && !one && !none) return "  (use \"git rm <file>...\" to mark resolution)";
  return "  (use \"git add/rm <file>...\" as appropriate to mark resolution)";
}

void print_unmerged(const StatusResult& status, const LongSummary& summary, LongFormatWriter& out) {
  if (status.unmerged.empty()) return;
  out.header("Unmerged paths:");
  print_unstage_hint(status, summary, out);
  out.hint(resolution_hint(status.unmerged));
  for (const UnmergedEntry& entry : status.unmerged) {
    out.begin(out.palette().header, "\t");
    out.piece(out.palette().unmerged, padded(conflict_label(entry.stage_mask()), kConflictWidth) +
                                          out.path(entry.path) + "\n");
  }
  out.empty_header();
}

void print_unstaged(const StatusResult& status, LongFormatWriter& out) {
  bool any = false;
  bool deleted = false;
  bool dirty_submodules = false;
  for (const ChangedEntry& entry : status.changed) {
    if (entry.worktree == Change::kNone) continue;
    any = true;
    deleted |= entry.worktree == Change::kDeleted;
    dirty_submodules |= entry.submodule.modified_content || entry.submodule.untracked_content;
  }
  if (!any) return;
  out.header("Changes not staged for commit:");
  out.hint(deleted ? "  (use \"git add/rm <file>...\" to update what will be committed)"
                   : "  (use \"git add <file>...\" to update what will be committed)");
  out.hint("  (use \"git restore <file>...\" to discard changes in working directory)");
  if (dirty_submodules) {
    out.hint("  (commit or discard the untracked or modified content in submodules)");
  }
  for (const ChangedEntry& entry : status.changed) {
    if (entry.worktree == Change::kNone) continue;
    print_change(entry, entry.worktree, out.palette().changed, submodule_comment(entry.submodule),
                 out);
  }
  out.empty_header();
}

void print_list(const std::vector<std::string>& paths, const char* what, const char* command,
                LongFormatWriter& out) {
  if (paths.empty()) return;
  out.header(what);
  out.hint(std::string("  (use \"git ") + command +
           " <file>...\" to include in what will be committed)");
  for (const std::string& path : paths) {
    out.begin(out.palette().header, "\t");
    out.piece(out.palette().untracked, out.path(path) + "\n");
  }
  out.line("", "");
}

}  // namespace

void print_tracked(const StatusResult& status, const LongSummary& summary, LongFormatWriter& out) {
  print_staged(status, summary, out);
  print_unmerged(status, summary, out);
  print_unstaged(status, out);
}

void print_others(const StatusResult& status, LongFormatWriter& out) {
  print_list(status.untracked, "Untracked files:", "add", out);
  print_list(status.ignored, "Ignored files:", "add -f", out);
}

}  // namespace resident
