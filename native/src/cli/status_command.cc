// `git-resident status`: what `git status` says, from a scan or from the resident model.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/hand_to_git.h"
#include "cli/resident_client.h"
#include "cli/write_out.h"
#include "config/config_ahead.h"
#include "fs/linux/posix_file_system.h"
#include "porcelain/status_options.h"
#include "porcelain/status_request.h"
#include "repository/repository_search.h"
#include "service/scan.h"

namespace resident {

namespace {

// git itself is right whatever its age; that it is asked each time is to be known.
void warn_of(const Result<void>& checked) {
  if (checked.ok()) return;
  std::fprintf(stderr, "git-resident: %s; git status runs instead\n",
               checked.error().message.c_str());
}

// Empty where it was removed.
std::string working_directory() {
  std::error_code failed;
  return std::filesystem::current_path(failed).native();
}

// The working directory from the worktree's root: "" or "sub/dir/"; nullopt where it is not below.
std::optional<std::string> prefix_below(const std::string& root) {
  const std::string here = working_directory();
  if (here.empty() || !path_is_within(here, root)) return std::nullopt;
  return here == root ? std::string() : here.substr(root.size() + 1) + "/";
}

// What the resident process says; nullopt where only a look at the disk can tell. `git_dir` is
// empty where it is the worktree's own beyond doubt.
std::optional<int> try_resident(const StatusCommandLine& line, const Arguments& for_git,
                                const std::string& root, const std::string& prefix,
                                const std::string& git_dir) {
  const bool must = line.source == AnswerSource::kResident;
  Result<StatusReply> reply = ask_resident(
      root, {prefix,
             {.git_dir = git_dir, .environment = deciding_environment(working_directory())},
             status_surroundings(),
             line.git_arguments});
  if (!reply.ok()) return must ? std::optional(fatal(reply.error().message)) : std::nullopt;
  switch (reply->kind) {
    case StatusReply::Kind::kOk:
      if (!write_to(STDERR_FILENO, reply->errors)) return kFatal;
      return write_out(reply->text);
    case StatusReply::Kind::kGit:
      return hand_to_git(for_git);
    case StatusReply::Kind::kError:
    case StatusReply::Kind::kVersion:
      return must ? std::optional(fatal(reply->text)) : std::nullopt;
  }
  return std::nullopt;
}

int scan_command(const StatusCommandLine& line, const Arguments& for_git,
                 const Repository& repository, ConfigAhead& config_ahead, IndexAhead* index) {
  Result<Config> config = config_ahead.load({.worktree = repository.worktree,
                                             .git_dir = repository.git_dir,
                                             .common_dir = repository.common_dir});
  const Result<GitRules> rules = current_git_rules();
  if (!config.ok() || !rules.ok()) return hand_to_git(for_git);
  std::optional<StatusRequest> request =
      status_request(*line.options, *config, repository, status_surroundings(), *rules);
  if (!request) return hand_to_git(for_git);
  // Never taken apart: the end of the process does it sooner.
  static auto& models = *new std::vector<std::unique_ptr<WorktreeModel>>;
  Result<StatusResult> status =
      scan_status(repository, *config, request->query, models.emplace_back(), index);
  const GitOutput* const said = models.back()->said_of_filters();
  if (said && (status.ok() || said->exit_code != 0)) {
    if (!write_to(STDERR_FILENO, said->err)) return kFatal;
    if (said->exit_code != 0) return said->exit_code;
  }
  // If the scan fails, git answers, or says in its own words what is wrong.
  if (!status.ok()) return hand_to_git(for_git);
  return write_out(print_status(*status, request->print));
}

// git tells what it does meanwhile, on standard error or in a file.
bool git_is_traced() {
  // These only say how.
  constexpr std::string_view kManners[] = {
      "GIT_TRACE_BARE",          "GIT_TRACE_REDACT",         "GIT_TRACE_CURL_NO_DATA",
      "GIT_TRACE2_BRIEF",        "GIT_TRACE2_PERF_BRIEF",    "GIT_TRACE2_EVENT_BRIEF",
      "GIT_TRACE2_ENV_VARS",     "GIT_TRACE2_CONFIG_PARAMS", "GIT_TRACE2_DST_DEBUG",
      "GIT_TRACE2_MAX_FILES",    "GIT_TRACE2_PARENT_NAME",   "GIT_TRACE2_PARENT_SID",
      "GIT_TRACE2_EVENT_NESTING"};
  for (char** variable = environ; *variable; ++variable) {
    const std::string_view text = *variable;
    if (!text.starts_with("GIT_TRACE")) continue;
    const size_t equals = std::min(text.find('='), text.size());
    const std::string_view name = text.substr(0, equals);
    const std::string_view value = text.substr(std::min(equals + 1, text.size()));
    const bool is_off = value.empty() || value == "0" || value == "false";
    const bool is_manner =
        std::find(std::begin(kManners), std::end(kManners), name) != std::end(kManners);
    if (!is_off && !is_manner) return true;
  }
  return false;
}

// After git itself has found the worktree. `root` is where it probably is.
int scan_here(const StatusCommandLine& line, const Arguments& for_git,
              const std::optional<std::string>& root, bool may_be_resident) {
  // A resident process has no need of it.
  std::optional<ConfigAhead> config;
  std::optional<IndexAhead> index;
  if (!may_be_resident) {
    // What takes longest first.
    const bool looks_at_all = line.options->pathspecs.empty();
    if (root) index.emplace(*root + "/.git", looks_at_all ? *root : "");
    config.emplace(posix_file_system(), "");
  }
  // Where git refuses the directory, it says so best itself.
  Result<Repository> repository = discover("");
  if (!repository.ok()) {
    const Result<GitVersion> version = git_version();
    if (version.ok()) warn_of(check_git_version(*version));
    return hand_to_git(for_git);
  }
  if (may_be_resident) {
    if (auto code = try_resident(line, for_git, repository->worktree, repository->prefix,
                                 repository->git_dir)) {
      return *code;
    }
  }
  if (!config) config.emplace(posix_file_system(), "");
  return scan_command(line, for_git, *repository, *config, index ? &*index : nullptr);
}

}  // namespace

int status_command(const Arguments& arguments) {
  std::optional<StatusCommandLine> line = parse_status_command_line(arguments);
  if (!line) {
    std::fputs("git-resident: --source must be auto, scan or resident\n", stderr);
    return kUsageError;
  }
  Arguments for_git = {"status"};
  for_git.insert(for_git.end(), line->git_arguments.begin(), line->git_arguments.end());
  if (!line->options || git_is_traced()) return hand_to_git(for_git);

  const bool may_be_resident = line->source != AnswerSource::kScan;
  // Without a spawn, so that an answer from the resident process costs next to nothing.
  const std::optional<std::string> root = quick_worktree_root("");
  if (may_be_resident && root) {
    if (const auto prefix = prefix_below(*root)) {
      if (auto code = try_resident(*line, for_git, *root, *prefix, "")) return *code;
      return scan_here(*line, for_git, root, false);
    }
  }
  return scan_here(*line, for_git, root, may_be_resident);
}

}  // namespace resident
