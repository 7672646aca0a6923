// Porcelain version 2.
#include "porcelain/porcelain_writer.h"

namespace resident {

namespace {

void header(PorcelainWriter& writer, std::string_view name, std::string_view value) {
  writer.text("# ");
  writer.text(name);
  writer.character(' ');
  writer.text(value);
  writer.character(writer.end());
}

std::string_view head_name(const BranchStatus& branch) {
  if (branch.detached) return "(detached)";
  if (branch.name.empty()) return "(unknown)";
  // git prints a null pointer here, and the C library shows it as "(null)".
  if (branch.outside_heads) return "(null)";
  return branch.name;
}

void print_branch(PorcelainWriter& writer, const BranchStatus& branch) {
  header(writer, "branch.oid", branch.initial ? "(initial)" : branch.head.hex());
  header(writer, "branch.head", head_name(branch));
  // git prints no upstream then.
  if (!branch.has_upstream || branch.outside_heads) return;
  header(writer, "branch.upstream", branch.upstream);
  if (branch.upstream_gone || branch.initial) return;
  if (!branch.counted && branch.differs) {
    header(writer, "branch.ab", "+? -?");
  } else {
    header(writer, "branch.ab",
           "+" + std::to_string(branch.ahead) + " -" + std::to_string(branch.behind));
  }
}

void submodule(PorcelainWriter& writer, bool is_submodule, const SubmoduleState& state) {
  if (!is_submodule) {
    writer.text(" N... ");
    return;
  }
  writer.text(" S");
  writer.character(state.new_commits ? 'C' : '.');
  writer.character(state.modified_content ? 'M' : '.');
  writer.character(state.untracked_content ? 'U' : '.');
  writer.character(' ');
}

void mode(PorcelainWriter& writer, uint32_t mode) {
  writer.mode(mode);
  writer.character(' ');
}

void id(PorcelainWriter& writer, const ObjectId& id) {
  writer.id(id);
  writer.character(' ');
}

void print_changed(PorcelainWriter& writer, const ChangedEntry& entry) {
  // For a side without a change, its column repeats the index's value.
  const Side& head = entry.index == Change::kNone ? entry.in_index : entry.head;
  uint32_t worktree_mode =
      entry.worktree == Change::kNone ? entry.in_index.mode : entry.worktree_mode;
  bool is_submodule = head.mode == kGitlinkMode || entry.in_index.mode == kGitlinkMode ||
                      worktree_mode == kGitlinkMode;

  writer.text(entry.from.empty() ? "1 " : "2 ");
  writer.character(static_cast<char>(entry.index));
  writer.character(static_cast<char>(entry.worktree));
  submodule(writer, is_submodule, entry.submodule);
  mode(writer, head.mode);
  mode(writer, entry.in_index.mode);
  mode(writer, worktree_mode);
  id(writer, head.id);
  id(writer, entry.in_index.id);
  if (!entry.from.empty()) {
    bool in_worktree = entry.worktree == Change::kRenamed || entry.worktree == Change::kCopied;
    writer.character(static_cast<char>(in_worktree ? entry.worktree : entry.index));
    writer.text(std::to_string(entry.score));
    writer.character(' ');
  }
  writer.path(entry.path, QuoteSpaces::kNo);
  if (!entry.from.empty()) {
    writer.character(writer.options().null_terminated ? '\0' : '\t');
    writer.path(entry.from, QuoteSpaces::kNo);
  }
  writer.character(writer.end());
}

void print_unmerged(PorcelainWriter& writer, const UnmergedEntry& entry) {
  writer.text("u ");
  writer.text(conflict_letters(entry.stage_mask()));
  submodule(writer, entry.is_submodule, entry.submodule);
  for (const Side& stage : entry.stages) mode(writer, stage.mode);
  mode(writer, entry.worktree_mode);
  for (const Side& stage : entry.stages) id(writer, stage.id);
  writer.path(entry.path, QuoteSpaces::kNo);
  writer.character(writer.end());
}

void print_other(PorcelainWriter& writer, char sign, const std::string& path) {
  writer.character(sign);
  writer.character(' ');
  writer.path(path, QuoteSpaces::kNo);
  writer.character(writer.end());
}

}  // namespace

void print_v2(const StatusResult& status, PorcelainWriter& writer) {
  if (status.branch) print_branch(writer, *status.branch);
  if (status.stash_count > 0 && writer.options().rules.tells_stash_in_v2)
    header(writer, "stash", std::to_string(status.stash_count));
  for (const ChangedEntry& entry : status.changed) print_changed(writer, entry);
  for (const UnmergedEntry& entry : status.unmerged) print_unmerged(writer, entry);
  for (const std::string& path : status.untracked) print_other(writer, '?', path);
  for (const std::string& path : status.ignored) print_other(writer, '!', path);
}

}  // namespace resident
