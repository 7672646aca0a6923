#include "status/ask_git.h"

#include <optional>

#include "base/cut_text.h"
#include "object/tree.h"

namespace resident {

namespace {

class Parser {
 public:
  explicit Parser(std::string_view output) : rest_(output) {}

  Result<StatusResult> parse() {
    while (!rest_.empty()) {
      std::string_view record = cut(rest_, '\0');
      if (!take(record)) {
        return Error{ErrorCode::kCorrupt,
                     "git status: unexpected record \"" + std::string(record) + "\""};
      }
    }
    return std::move(result_);
  }

 private:
  bool take(std::string_view record) {
    if (record.size() < 3 || record[1] != ' ') return false;
    const char type = record[0];
    record.remove_prefix(2);
    switch (type) {
      case '#':
        return parse_header(record);
      case '1':
      case '2':
        return parse_changed(record, type == '2');
      case 'u':
        return parse_unmerged(record);
      case '?':
        result_.untracked.emplace_back(record);
        return true;
      case '!':
        result_.ignored.emplace_back(record);
        return true;
      default:
        return false;
    }
  }

  bool parse_header(std::string_view record) {
    const std::string_view key = cut(record, ' ');
    if (key == "stash") return parse_number(record, result_.stash_count);
    if (!result_.branch) result_.branch.emplace();
    BranchStatus& branch = *result_.branch;
    if (key == "branch.oid") {
      branch.initial = record == "(initial)";
      auto id = ObjectId::from_hex(record);
      if (id) branch.head = *id;
      return branch.initial || id.has_value();
    }
    if (key == "branch.head") {
      branch.detached = record == "(detached)";
      branch.outside_heads = record == "(null)";
      branch.name = branch.detached ? "HEAD" : std::string(record);
      if (record == "(unknown)" || branch.outside_heads) branch.name.clear();
      return true;
    }
    if (key == "branch.upstream") {
      branch.has_upstream = branch.upstream_gone = true;
      branch.upstream = record;
      return true;
    }
    if (key != "branch.ab") return true;
    branch.upstream_gone = false;
    if (record == "+? -?") return branch.differs = true;
    branch.counted = true;
    const std::string_view ahead = cut(record, ' ');
    return ahead.starts_with('+') && record.starts_with('-') &&
           parse_number(ahead.substr(1), branch.ahead) &&
           parse_number(record.substr(1), branch.behind);
  }

  static bool parse_submodule(std::string_view text, bool& is_submodule, SubmoduleState& state) {
    if (text.size() != 4) return false;
    is_submodule = text[0] == 'S';
    state = {text[1] == 'C', text[2] == 'M', text[3] == 'U'};
    return true;
  }

  static bool parse_id(std::string_view text, ObjectId& id) {
    auto parsed = ObjectId::from_hex(text);
    if (parsed) id = *parsed;
    return parsed.has_value();
  }

  bool parse_changed(std::string_view record, bool renamed) {
    ChangedEntry entry;
    const std::string_view letters = cut(record, ' ');
    if (letters.size() != 2) return false;
    entry.index = static_cast<Change>(letters[0]);
    entry.worktree = static_cast<Change>(letters[1]);
    if (!parse_submodule(cut(record, ' '), entry.is_submodule, entry.submodule)) return false;
    if (!parse_number(cut(record, ' '), entry.head.mode, 8)) return false;
    if (!parse_number(cut(record, ' '), entry.in_index.mode, 8)) return false;
    if (!parse_number(cut(record, ' '), entry.worktree_mode, 8)) return false;
    if (!parse_id(cut(record, ' '), entry.head.id)) return false;
    if (!parse_id(cut(record, ' '), entry.in_index.id)) return false;
    if (renamed) {
      const std::string_view score = cut(record, ' ');
      if (score.empty() || !parse_number(score.substr(1), entry.score)) return false;
      entry.from = cut(rest_, '\0');
    }
    entry.path = record;
    result_.changed.push_back(std::move(entry));
    return true;
  }

  bool parse_unmerged(std::string_view record) {
    UnmergedEntry entry;
    cut(record, ' ');
    if (!parse_submodule(cut(record, ' '), entry.is_submodule, entry.submodule)) return false;
    for (Side& stage : entry.stages) {
      if (!parse_number(cut(record, ' '), stage.mode, 8)) return false;
    }
    if (!parse_number(cut(record, ' '), entry.worktree_mode, 8)) return false;
    for (Side& stage : entry.stages) {
      if (!parse_id(cut(record, ' '), stage.id)) return false;
    }
    entry.path = record;
    result_.unmerged.push_back(std::move(entry));
    return true;
  }

  std::string_view rest_;
  StatusResult result_;
};

std::vector<std::string> arguments_of(const StatusQuery& query) {
  // Each field is named: one more does not build until it is an argument here, or asked otherwise.
  const auto& [untracked, ignored, ignore_submodules, renames, rename_score, branch, ahead_behind,
               stash, operation, pathspec] = query;
  std::vector<std::string> arguments;
  if (renames == RenameMode::kCopies) arguments = {"-c", "status.renames=copies"};
  arguments.insert(arguments.end(), {"status", "--porcelain=v2", "-z"});
  constexpr const char* kUntracked[] = {"no", "normal", "all"};
  constexpr const char* kIgnored[] = {"no", "traditional", "matching"};
  constexpr const char* kSubmodules[] = {"none", "untracked", "dirty", "all"};
  arguments.push_back(std::string("--untracked-files=") + kUntracked[static_cast<int>(untracked)]);
  arguments.push_back(std::string("--ignored=") + kIgnored[static_cast<int>(ignored)]);
  if (ignore_submodules) {
    arguments.push_back(std::string("--ignore-submodules=") +
                        kSubmodules[static_cast<int>(*ignore_submodules)]);
  }
  if (rename_score) {
    // As a fraction: "0.<digits>" of git's scale of 60000.
    std::string digits = std::to_string(static_cast<long long>(*rename_score) * 100000 / 60000);
    digits.insert(0, digits.size() < 5 ? 5 - digits.size() : 0, '0');
    arguments.push_back("--find-renames=" + (*rename_score >= 60000 ? "100%" : "0." + digits));
  } else if (renames && *renames != RenameMode::kCopies) {
    arguments.push_back(*renames == RenameMode::kOff ? "--no-renames" : "--renames");
  }
  arguments.push_back(branch ? "--branch" : "--no-branch");
  arguments.push_back(ahead_behind ? "--ahead-behind" : "--no-ahead-behind");
  arguments.push_back(stash ? "--show-stash" : "--no-show-stash");
  return arguments;
}

}  // namespace

Result<StatusResult> parse_porcelain_v2(std::string_view output) {
  return Parser(output).parse();
}

Result<StatusResult> ask_git(const StatusQuery& query, const RunGit& run) {
  if (query.pathspec) {
    return Error{ErrorCode::kUnsupported, "git has to answer a question with a pathspec"};
  }
  RESIDENT_TRY(GitOutput output, run(arguments_of(query)));
  if (output.exit_code != 0) return Error{ErrorCode::kCorrupt, git_message(output)};
  return parse_porcelain_v2(output.out);
}

Result<StatusResult> ask_git(const StatusQuery& query, const GitRunOptions& options) {
  return ask_git(query, [&options](const std::vector<std::string>& arguments) {
    return run_git(arguments, options);
  });
}

}  // namespace resident
