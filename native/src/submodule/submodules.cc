#include "submodule/submodules.h"

#include <algorithm>

#include "config/config_value.h"
#include "git/git_command.h"
#include "repository/nested_repository.h"
#include "status/ask_git.h"

namespace resident {

namespace {

GitRunOptions in_submodule(const std::string& path) {
  GitRunOptions options;
  options.cwd = path;
  // What points at the superproject must not reach the submodule's git. What configures git by the
  // environment does.
  options.environment = {"GIT_DIR=.git",
                         "GIT_WORK_TREE",
                         "GIT_IMPLICIT_WORK_TREE",
                         "GIT_INDEX_FILE",
                         "GIT_PREFIX",
                         "GIT_OBJECT_DIRECTORY",
                         "GIT_ALTERNATE_OBJECT_DIRECTORIES",
                         "GIT_COMMON_DIR",
                         "GIT_CONFIG",
                         "GIT_GRAFT_FILE",
                         "GIT_SHALLOW_FILE",
                         "GIT_NO_REPLACE_OBJECTS",
                         "GIT_REPLACE_REF_BASE"};
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

constexpr std::string_view kSection = "submodule.";

// One that cannot lead out of the directory of submodules.
bool is_safe_name(std::string_view name) {
  if (name.empty()) return false;
  for (size_t at = 0; at <= name.size();) {
    const size_t end = std::min(name.find_first_of("/\\", at), name.size());
    if (name.substr(at, end - at) == "..") return false;
    at = end + 1;
  }
  return true;
}

// Whether git refuses the variable, or says that it passes over it. What is not plainly right
// counts.
bool git_complains(std::string_view name, std::string_view variable,
                   std::optional<std::string_view> value) {
  if (!is_safe_name(name)) return true;
  if (variable == "path" || variable == "url") return !value || value->starts_with('-');
  if (variable == "branch") return !value;
  if (variable == "ignore") return !value || !parse_ignore(*value);
  if (variable == "update") {
    constexpr std::string_view kWords[] = {"none", "checkout", "rebase", "merge"};
    return !value || std::find(std::begin(kWords), std::end(kWords), *value) == std::end(kWords);
  }
  if (variable == "shallow") return value && !parse_config_bool(*value);
  if (variable == "fetchrecursesubmodules") {
    return value && *value != "on-demand" && !parse_config_bool(*value);
  }
  return false;
}

}  // namespace

GitCommand submodule_status_command(const std::string& path) {
  GitCommand command;
  // Untracked files as the submodule's own config has them, hence not by ask_git.
  command.arguments = {"status", "--porcelain=v2", "-z", "--branch"};
  command.options = in_submodule(path);
  return command;
}

Result<StatusResult> submodule_status(const std::string& path, const GitOutput& said) {
  if (said.exit_code != 0) return Error{ErrorCode::kCorrupt, path + ": " + git_message(said)};
  RESIDENT_TRY(StatusResult status, parse_porcelain_v2(said.out));
  status.git_warned = !said.err.empty();
  return status;
}

std::optional<SubmoduleLook> examine_without_git(FileSystem& fs, const std::string& path) {
  if (!git_directory_of(fs, path).empty()) return std::nullopt;
  const Result<FileStat> stat = fs.lstat(path + "/.git");
  SubmoduleLook look;
  // Since 2.54 git fails where it may not look.
  look.git_warns = stat.ok() || stat.error().code != ErrorCode::kNotFound;
  return look;
}

Result<SubmoduleLook> examine_by_status(const std::string& path, const ObjectId& in_index,
                                        const StatusResult& status) {
  SubmoduleLook look;
  look.git_warns = status.git_warned;
  look.state = content_state(status);
  if (status.branch) {
    const bool has_commit = !status.branch->initial;
    // What git makes of an id of another length differs from version to version.
    if (has_commit && status.branch->head.algorithm() != in_index.algorithm()) {
      return Error{ErrorCode::kUnsupported,
                   path + ": the submodule uses a different object format"};
    }
    look.state.new_commits = has_commit && status.branch->head != in_index;
  }
  return look;
}

// What git lists of the submodules that .gitmodules names.
std::optional<GitCommand> SubmoduleIgnores::command(FileSystem& fs, const std::string& worktree,
                                                    const std::string& git_dir,
                                                    StoredGitmodules stored) {
  if (stored == StoredGitmodules::kUnmerged) return std::nullopt;
  const bool on_disk = fs.lstat(worktree + "/.gitmodules").ok();
  if (stored == StoredGitmodules::kNone && !on_disk) return std::nullopt;
  GitCommand command;
  command.arguments = {"config", "-z", "--blob", "HEAD:.gitmodules"};
  if (stored == StoredGitmodules::kIndex) command.arguments[3] = ":.gitmodules";
  if (on_disk) command.arguments = {"config", "-z", "--file", ".gitmodules"};
  command.arguments.insert(command.arguments.end(), {"--get-regexp", "^submodule\\..*\\."});
  command.options.cwd = worktree;
  command.options.environment = {"GIT_DIR=" + git_dir};
  return command;
}

Result<SubmoduleIgnores> SubmoduleIgnores::load(FileSystem& fs, const std::string& worktree,
                                                const std::string& git_dir, const Config& config,
                                                StoredGitmodules stored) {
  const std::optional<GitCommand> asked = command(fs, worktree, git_dir, stored);
  if (!asked) return from_git(worktree, config, std::nullopt);
  RESIDENT_TRY(GitOutput said, run_git(*asked));
  return from_git(worktree, config, std::move(said));
}

Result<SubmoduleIgnores> SubmoduleIgnores::from_git(const std::string& worktree,
                                                    const Config& config,
                                                    const std::optional<GitOutput>& said) {
  // 1: nothing of the kind in it.
  if (said && said->exit_code > 1) {
    return Error{ErrorCode::kUnsupported, worktree + "/.gitmodules: " + git_message(*said)};
  }
  SubmoduleIgnores ignores;
  if (auto value = config.get("diff.ignoresubmodules")) {
    ignores.diff_ignore_submodules_ = parse_ignore(*value);
  }
  ignores.git_warns_ = said && !said->err.empty();
  // Each "<key> [LF <value>] NUL".
  const std::string_view records = said ? std::string_view(said->out) : std::string_view();
  std::map<std::string, std::string> path_by_name;
  // Of several of one path the last counts.
  std::map<std::string, std::string> name_by_path;
  std::map<std::string, IgnoreSubmodules> ignore_by_name;
  for (std::string_view record : split(records, '\0')) {
    const size_t line_end = record.find('\n');
    const std::string_view key = record.substr(0, line_end);
    const size_t dot = key.rfind('.');
    if (dot < kSection.size()) continue;
    const std::string name(key.substr(kSection.size(), dot - kSection.size()));
    const std::string_view variable = key.substr(dot + 1);
    std::optional<std::string_view> value;
    if (line_end != std::string_view::npos) value = record.substr(line_end + 1);
    ignores.git_warns_ |= git_complains(name, variable, value);
    if (!value || !is_safe_name(name)) continue;
    if (variable == "path" && !value->starts_with('-')) {
      std::string& path = path_by_name[name];
      name_by_path.erase(path);
      path = *value;
      name_by_path[path] = name;
    } else if (variable == "ignore") {
      if (auto ignore = parse_ignore(*value)) ignore_by_name[name] = *ignore;
    }
  }
  for (const auto& [path, name] : name_by_path) {
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
