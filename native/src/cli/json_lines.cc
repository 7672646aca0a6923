#include "cli/json_lines.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "base/repo_path.h"

namespace resident {

namespace {

void append_base64(std::string& out, std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t at = 0; at < bytes.size(); at += 3) {
    uint32_t bits = 0;
    for (size_t i = at; i < at + 3; ++i) {
      bits = bits << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0);
    }
    const size_t digits = std::min<size_t>(bytes.size() - at, 3) + 1;
    for (size_t i = 0; i < 4; ++i) {
      out += i < digits ? kDigits[bits >> (18 - 6 * i) & 63] : '=';
    }
  }
}

// Writes the members of an object or the elements of a list.
class Members {
 public:
  Members(std::string& out, char open, char close) : out_(out), close_(close) { out_ += open; }
  ~Members() { out_ += close_; }
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;

  std::string& next() {
    if (!is_first_) out_ += ',';
    is_first_ = false;
    return out_;
  }
  std::string& next(std::string_view name) {
    next().append("\"").append(name).append("\":");
    return out_;
  }
  void text(std::string_view name, std::string_view value) { append_json_text(next(name), value); }
  void flag(std::string_view name, bool value) { next(name) += value ? "true" : "false"; }
  void number(std::string_view name, uint64_t value) { next(name) += std::to_string(value); }
  void none(std::string_view name) { next(name) += "null"; }

 private:
  std::string& out_;
  const char close_;
  bool is_first_ = true;
};

void add_paths(Members& line, std::string_view name, const std::vector<std::string>& paths) {
  if (paths.empty()) return;
  Members list(line.next(name), '[', ']');
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

void add_branch(Members& line, const BranchStatus& branch) {
  Members members(line.next("branch"), '{', '}');
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
  members.number("ahead", static_cast<uint64_t>(branch.ahead));
  members.number("behind", static_cast<uint64_t>(branch.behind));
}

void add_remote(Members& members, const BranchDetails::Remote& remote) {
  members.text("remote", remote.name);
  members.text("branch", remote.branch);
  if (!remote.url.empty()) members.text("url", remote.url);
}

void add_details(Members& line, const BranchDetails& details) {
  Members members(line.next("details"), '{', '}');
  if (details.tag) {
    Members tag(members.next("tag"), '{', '}');
    tag.text("name", details.tag->name);
    tag.number("distance", static_cast<uint64_t>(details.tag->distance));
  } else if (details.tag_known == BranchDetails::Known::kKnown) {
    members.none("tag");
  }
  if (details.stashes) members.number("stashes", static_cast<uint64_t>(*details.stashes));
  if (!details.action.empty()) members.text("action", details.action);
  if (details.upstream) {
    Members upstream(members.next("upstream"), '{', '}');
    add_remote(upstream, *details.upstream);
  }
  if (!details.push) return;
  Members push(members.next("push"), '{', '}');
  add_remote(push, *details.push);
  if (!details.push_counts) return;
  push.number("ahead", static_cast<uint64_t>(details.push_counts->ahead));
  push.number("behind", static_cast<uint64_t>(details.push_counts->behind));
}

}  // namespace

void append_json_text(std::string& out, std::string_view bytes) {
  if (!is_utf8(bytes)) {
    out += "{\"base64\":\"";
    append_base64(out, bytes);
    out += "\"}";
    return;
  }
  out += '"';
  for (const char c : bytes) {
    if (c == '"' || c == '\\') {
      out.append({'\\', c});
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  out += '"';
}

std::string json_line(const DeltaChunk& chunk) {
  const StatusDelta& delta = chunk.delta;
  std::string out;
  {
    Members line(out, '{', '}');
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
      Members rows(line.next("changed"), '[', ']');
      for (const ChangedEntry& entry : delta.changed) {
        Members row(rows.next(), '{', '}');
        row.text("path", entry.path);
        row.text("xy", letters_of(entry));
        if (!entry.from.empty()) row.text("from", entry.from);
      }
    }
    if (!delta.unmerged.empty()) {
      Members rows(line.next("unmerged"), '[', ']');
      for (const UnmergedEntry& entry : delta.unmerged) {
        Members row(rows.next(), '{', '}');
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
    Members line(out, '{', '}');
    line.number("base", 0);
    line.number("version", 0);
    line.flag("more", false);
    line.text("state", "gone");
    line.text("message", message);
  }
  return out + "\n";
}

}  // namespace resident
