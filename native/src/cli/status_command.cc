// `git-resident status`: the output of `git status`, from a scan or from the resident model.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
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
#include "fs/fast_file_access.h"
#include "fs/in_memory.h"
#include "os/environment.h"
#include "os/standard_streams.h"
#include "porcelain/status_options.h"
#include "porcelain/status_request.h"
#include "repository/repository_search.h"
#include "service/scan.h"

namespace resident {

namespace {

// git is right in every version. But users must know that git runs each time.
void warn_of(const Result<void>& checked) {
  if (checked.ok()) return;
  std::fprintf(stderr, "git-resident: %s; git status runs instead\n",
               checked.error().message.c_str());
}

// The working directory relative to the worktree's root: "" or "sub/dir/". nullopt: it is outside.
std::optional<std::string> prefix_below(const std::string& root) {
  const std::string here = working_directory();
  if (here.empty() || !path_is_within(here, root)) return std::nullopt;
  return here == root ? std::string() : here.substr(root.size() + 1) + "/";
}

// The answer of the resident process. Returns nullopt if a scan must answer.
std::optional<int> try_resident(const StatusCommandLine& line, const Arguments& for_git,
                                const std::string& root, const std::string& prefix,
                                ClientIdentity client) {
  const bool must = line.source == AnswerSource::kResident;
  Result<StatusReply> reply =
      ask_resident(root, {prefix, std::move(client), status_surroundings(), line.git_arguments});
  if (!reply.ok()) return must ? std::optional(fatal(reply.error().message)) : std::nullopt;
  switch (reply->kind) {
    case StatusReply::Kind::kOk:
      if (!write_to(kStandardError, reply->errors)) return kFatal;
      return write_out(reply->text);
    case StatusReply::Kind::kGit:
      return hand_to_git(for_git);
    case StatusReply::Kind::kError:
    case StatusReply::Kind::kVersion:
      return must ? std::optional(fatal(reply->text)) : std::nullopt;
  }
  return std::nullopt;
}

int scan_command(FileSystem& fs, const StatusCommandLine& line, const Arguments& for_git,
                 const Repository& repository, ConfigAhead& config_ahead) {
  Result<Config> config = config_ahead.load({.worktree = repository.worktree,
                                             .git_dir = repository.git_dir,
                                             .common_dir = repository.common_dir});
  const Result<GitRules> rules = current_git_rules();
  if (!config.ok() || !rules.ok()) return hand_to_git(for_git);
  std::optional<StatusRequest> request =
      status_request(*line.options, *config, repository, status_surroundings(), *rules);
  if (!request) return hand_to_git(for_git);
  // Never destroyed: the end of the process frees it faster.
  static auto& models = *new std::vector<std::unique_ptr<WorktreeModel>>;
  Result<StatusResult> status =
      scan_status(fs, repository, *config, request->query, models.emplace_back());
  const GitOutput* const said = models.back()->freshness().filters().said();
  if (said && (status.ok() || said->exit_code != 0)) {
    if (!write_to(kStandardError, said->err)) return kFatal;
    if (said->exit_code != 0) return said->exit_code;
  }
  // If the scan fails, git answers or prints its own error.
  if (!status.ok()) return hand_to_git(for_git);
  return write_out(print_status(*status, request->print));
}

// Whether git writes a trace, to standard error or to a file.
bool git_is_traced() {
  // These variables only set the form of a trace.
  constexpr std::string_view kManners[] = {
      "GIT_TRACE_BARE",          "GIT_TRACE_REDACT",         "GIT_TRACE_CURL_NO_DATA",
      "GIT_TRACE2_BRIEF",        "GIT_TRACE2_PERF_BRIEF",    "GIT_TRACE2_EVENT_BRIEF",
      "GIT_TRACE2_ENV_VARS",     "GIT_TRACE2_CONFIG_PARAMS", "GIT_TRACE2_DST_DEBUG",
      "GIT_TRACE2_MAX_FILES",    "GIT_TRACE2_PARENT_NAME",   "GIT_TRACE2_PARENT_SID",
      "GIT_TRACE2_EVENT_NESTING"};
  for (auto variable = environment_variables(); *variable; ++variable) {
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

// Starts to read the worktree if it is not in memory, judged by its index. `root`: its probable
// path. Null: nothing is read.
std::unique_ptr<ReadAhead> read_ahead(FileSystem& fs, const StatusCommandLine& line,
                                      const std::optional<std::string>& root) {
  FastFileAccess* const fast = fs.fast_access();
  const bool looks_at_all = line.options->pathspecs.empty();
  if (!fast || !root || !looks_at_all || is_in_memory(*root + "/.git/index")) return nullptr;
  return fast->read_ahead(*root);
}

// Scans after git itself has found the worktree. `root`: its probable path.
int scan_here(FileSystem& fs, const StatusCommandLine& line, const Arguments& for_git,
              const std::optional<std::string>& root, bool may_be_resident) {
  // A resident process does not need these. They run while git is asked.
  std::unique_ptr<ReadAhead> ahead;
  std::optional<ConfigAhead> config;
  if (!may_be_resident) {
    ahead = read_ahead(fs, line, root);
    config.emplace(fs, "");
  }
  // If git refuses the directory, git prints the best error itself.
  Result<Repository> repository = discover("");
  if (!repository.ok()) {
    const Result<GitVersion> version = git_version();
    if (version.ok()) warn_of(check_git_version(*version));
    return hand_to_git(for_git);
  }
  if (may_be_resident) {
    if (auto code = try_resident(line, for_git, repository->worktree, repository->prefix,
                                 client_in(working_directory(), *repository))) {
      return *code;
    }
  }
  if (!config) config.emplace(fs, "");
  // The scan reads in its own order: two readers would delay each other.
  ahead.reset();
  return scan_command(fs, line, for_git, *repository, *config);
}

}  // namespace

int status_command(FileSystem& fs, const Arguments& arguments) {
  std::optional<StatusCommandLine> line = parse_status_command_line(arguments);
  if (!line) {
    std::fputs("git-resident: --source must be auto, scan or resident\n", stderr);
    return kUsageError;
  }
  Arguments for_git = {"status"};
  for_git.insert(for_git.end(), line->git_arguments.begin(), line->git_arguments.end());
  if (!line->options || git_is_traced()) return hand_to_git(for_git);

  const bool may_be_resident = line->source != AnswerSource::kScan;
  // No spawn is needed here: an answer from the resident process is very cheap.
  const std::optional<std::string> root = quick_worktree_root(fs, "");
  if (may_be_resident && root) {
    if (const auto prefix = prefix_below(*root)) {
      // No variable names another place, and the git directory is the worktree's own.
      const ClientIdentity client{.environment = deciding_environment(working_directory())};
      if (auto code = try_resident(*line, for_git, *root, *prefix, client)) return *code;
      return scan_here(fs, *line, for_git, root, false);
    }
  }
  return scan_here(fs, *line, for_git, root, may_be_resident);
}

}  // namespace resident
