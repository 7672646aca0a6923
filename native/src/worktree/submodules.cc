#include "worktree/submodules.h"

#include "git/git_command.h"
#include "worktree/ask_git.h"
#include "worktree/nested_repository.h"

namespace resident {

namespace {

GitRunOptions in_submodule(const std::string& path) {
  GitRunOptions options;
  options.cwd = path;
  // What points at the superproject must not reach the submodule's git.
  options.environment = {"GIT_DIR=.git",         "GIT_WORK_TREE",
                         "GIT_INDEX_FILE",       "GIT_PREFIX",
                         "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR",
                         "GIT_NAMESPACE",        "GIT_CONFIG_PARAMETERS",
                         "GIT_CONFIG_COUNT",     "GIT_ALTERNATE_OBJECT_DIRECTORIES"};
  return options;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

// What the submodule's own status makes of it in its superproject.
SubmoduleState content_state(const StatusResult& status) {
  SubmoduleState state;
  state.untracked_content = !status.untracked.empty();
  state.modified_content = !status.unmerged.empty();
  for (const UnmergedEntry& entry : status.unmerged) {
    if (entry.is_submodule && entry.submodule.untracked_content) state.untracked_content = true;
  }
  for (const ChangedEntry& entry : status.changed) {
    if (entry.is_submodule && entry.submodule.untracked_content) state.untracked_content = true;
    const bool only_untracked = entry.from.empty() && entry.is_submodule &&
                                entry.submodule == SubmoduleState{false, false, true};
    if (!only_untracked) state.modified_content = true;
  }
  return state;
}

std::optional<IgnoreSubmodules> parse_ignore(std::string_view value) {
  if (value == "all") return IgnoreSubmodules::kAll;
  if (value == "dirty") return IgnoreSubmodules::kDirty;
  if (value == "untracked") return IgnoreSubmodules::kUntracked;
  if (value == "none") return IgnoreSubmodules::kNone;
  return std::nullopt;
}

}  // namespace

Result<StatusResult> ask_git_in_submodule(const std::string& path) {
  // Untracked files as the submodule's own config has them, hence not by ask_git.
  RESIDENT_TRY(GitOutput output,
               run_git({"status", "--porcelain=v2", "-z", "--branch"}, in_submodule(path)));
  if (output.exit_code != 0) return Error{ErrorCode::kCorrupt, path + ": " + git_message(output)};
  return parse_porcelain_v2(output.out);
}

Result<SubmoduleState> look_at_submodule(FileSystem& fs, const std::string& path,
                                         const ObjectId& in_index, const SubmoduleStatus& ask) {
  if (git_directory_of(fs, path).empty()) return SubmoduleState{};
  RESIDENT_TRY(StatusResult status, ask(path));
  SubmoduleState state = content_state(status);
  if (status.branch) {
    state.new_commits = !status.branch->initial && status.branch->head != in_index;
  }
  return state;
}

Result<SubmoduleIgnores> SubmoduleIgnores::load(FileSystem& fs, const std::string& worktree,
                                                const Config& config) {
  SubmoduleIgnores ignores;
  if (auto value = config.get("diff.ignoresubmodules")) {
    ignores.diff_ignore_submodules_ = parse_ignore(*value);
  }
  if (!fs.lstat(worktree + "/.gitmodules").ok()) return ignores;
  GitRunOptions options;
  options.cwd = worktree;
  RESIDENT_TRY(GitOutput listed, run_git({"config", "-z", "--file", ".gitmodules", "--get-regexp",
                                          "^submodule\\..*\\.(path|ignore)$"},
                                         options));
  // 1: nothing of the kind in it.
  if (listed.exit_code > 1) {
    return Error{ErrorCode::kUnsupported, worktree + "/.gitmodules: " + git_message(listed)};
  }
  std::map<std::string, std::string> path_by_name;
  std::map<std::string, IgnoreSubmodules> ignore_by_name;
  for (std::string_view record : split(listed.out, '\0')) {
    const size_t line_end = record.find('\n');
    if (line_end == std::string_view::npos) continue;
    const std::string_view key = record.substr(0, line_end);
    const std::string_view value = record.substr(line_end + 1);
    const size_t dot = key.rfind('.');
    const std::string name(key.substr(10, dot - 10));
    if (key.substr(dot) == ".path") {
      path_by_name[name] = value;
    } else if (auto ignore = parse_ignore(value)) {
      ignore_by_name[name] = *ignore;
    }
  }
  for (const auto& [name, path] : path_by_name) {
    auto known = ignore_by_name.find(name);
    std::optional<IgnoreSubmodules> ignore;
    if (known != ignore_by_name.end()) ignore = known->second;
    if (auto value = config.get("submodule." + name + ".ignore")) ignore = parse_ignore(*value);
    if (ignore) ignores.by_path_[path] = *ignore;
  }
  return ignores;
}

IgnoreSubmodules SubmoduleIgnores::mode(const std::string& path, const StatusQuery& query) const {
  if (query.ignore_submodules) return *query.ignore_submodules;
  if (auto known = by_path_.find(path); known != by_path_.end()) return known->second;
  const IgnoreSubmodules ignore = diff_ignore_submodules_.value_or(IgnoreSubmodules::kNone);
  const bool only_tracked = query.untracked == UntrackedMode::kNo;
  return only_tracked && ignore == IgnoreSubmodules::kNone ? IgnoreSubmodules::kUntracked : ignore;
}

std::optional<SubmoduleState> SubmoduleIgnores::visible(const std::string& path,
                                                        SubmoduleState state,
                                                        const StatusQuery& query) const {
  switch (mode(path, query)) {
    case IgnoreSubmodules::kAll:
      return std::nullopt;
    case IgnoreSubmodules::kDirty:
      return SubmoduleState{state.new_commits, false, false};
    case IgnoreSubmodules::kUntracked:
      state.untracked_content = false;
      return state;
    case IgnoreSubmodules::kNone:
      return state;
  }
  return state;
}

}  // namespace resident
