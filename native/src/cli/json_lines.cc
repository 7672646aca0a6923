#include "cli/json_lines.h"

#include "base/json.h"

namespace resident {

namespace {

constexpr auto kList = JsonMembers::Kind::kList;

void add_paths(JsonMembers& line, std::string_view name, const std::vector<std::string>& paths) {
  if (paths.empty()) return;
  JsonMembers list(line.next(name), kList);
  for (const std::string& path : paths) append_json_text(list.next(), path);
}

std::string_view name_of(ModelState::Kind kind) {
  constexpr std::string_view kNames[] = {"scanning", "watching",  "verifying",
                                         "polling",  "delegated", "failed"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view name_of(Operation operation) {
  constexpr std::string_view kNames[] = {"none",   "merge",  "rebase", "cherry-pick",
                                         "revert", "bisect", "am"};
  return kNames[static_cast<size_t>(operation)];
}

std::string letters_of(const ChangedEntry& entry) {
  const auto letter = [](Change change) {
    return change == Change::kNone ? '.' : static_cast<char>(change);
  };
  return {letter(entry.index), letter(entry.worktree)};
}

void add_branch(JsonMembers& line, const BranchStatus& branch) {
  JsonMembers members(line.next("branch"));
  members.text("name", branch.name);
  if (branch.initial) {
    members.none("oid");
  } else {
    members.text("oid", branch.head.hex());
  }
  members.flag("detached", branch.detached);
  if (!branch.has_upstream) return members.none("upstream");
  members.text("upstream", branch.upstream);
  if (branch.upstream_gone || !branch.counted) {
    members.none("ahead");
    return members.none("behind");
  }
  members.number("ahead", branch.ahead);
  members.number("behind", branch.behind);
}

void add_remote(JsonMembers& members, const BranchDetails::Remote& remote) {
  members.text("remote", remote.name);
  members.text("branch", remote.branch);
  if (!remote.url.empty()) members.text("url", remote.url);
}

void add_details(JsonMembers& line, const BranchDetails& details) {
  JsonMembers members(line.next("details"));
  if (details.tag) {
    JsonMembers tag(members.next("tag"));
    tag.text("name", details.tag->name);
    tag.number("distance", details.tag->distance);
  } else if (details.tag_known == BranchDetails::Known::kKnown) {
    members.none("tag");
  }
  if (details.stashes) members.number("stashes", *details.stashes);
  if (!details.action.empty()) members.text("action", details.action);
  if (details.upstream) {
    JsonMembers upstream(members.next("upstream"));
    add_remote(upstream, *details.upstream);
  }
  if (!details.push) return;
  JsonMembers push(members.next("push"));
  add_remote(push, *details.push);
  if (!details.push_counts) return;
  push.number("ahead", details.push_counts->ahead);
  push.number("behind", details.push_counts->behind);
}

}  // namespace

std::string json_line(const DeltaChunk& chunk) {
  const StatusDelta& delta = chunk.delta;
  std::string out;
  {
    JsonMembers line(out);
    line.number("base", delta.base_version);
    line.number("version", delta.version);
    line.flag("more", chunk.more);
    if (delta.state) {
      line.text("state", name_of(delta.state->kind));
      if (!delta.state->message.empty()) line.text("message", delta.state->message);
    }
    if (delta.branch) add_branch(line, *delta.branch);
    if (delta.operation) line.text("operation", name_of(*delta.operation));
    if (delta.details && *delta.details) add_details(line, **delta.details);
    if (delta.operation_step) {
      if (delta.operation_step->empty()) {
        line.none("step");
      } else {
        line.text("step", *delta.operation_step);
      }
    }
    if (!delta.changed.empty()) {
      JsonMembers rows(line.next("changed"), kList);
      for (const ChangedEntry& entry : delta.changed) {
        JsonMembers row(rows.next());
        row.text("path", entry.path);
        row.text("xy", letters_of(entry));
        if (!entry.from.empty()) row.text("from", entry.from);
      }
    }
    if (!delta.unmerged.empty()) {
      JsonMembers rows(line.next("unmerged"), kList);
      for (const UnmergedEntry& entry : delta.unmerged) {
        JsonMembers row(rows.next());
        row.text("path", entry.path);
        row.text("xy", entry.letters());
      }
    }
    add_paths(line, "untracked", delta.untracked);
    add_paths(line, "removed", delta.removed);
    add_paths(line, "removedUntracked", delta.removed_untracked);
    add_paths(line, "problems", delta.problems);
  }
  return out + "\n";
}

std::string json_line_of_gone(std::string_view message) {
  std::string out;
  {
    JsonMembers line(out);
    line.number("base", 0);
    line.number("version", 0);
    line.flag("more", false);
    line.text("state", "gone");
    line.text("message", message);
  }
  return out + "\n";
}

}  // namespace resident
