// `git-resident fsmonitor <version> <token>`: the hook that core.fsmonitor names.
//
// git runs it with these arguments in the root of the worktree, before it checks the files of an
// index (githooks(5), fsmonitor-watchman).
//
// The output of version 2 is a token, then each name that changed since the token that git kept.
// Each ends in NUL; "/" means everything. Version 1 has no tokens: everything changed.
//
// A non-zero exit code makes git check everything too. A failure here therefore costs only time: no
// process keeps the worktree, or it does not answer in time.
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/resident_client.h"
#include "cli/write_out.h"
#include "fs/real_path.h"
#include "git/git_environment.h"
#include "git/git_rules.h"
#include "os/process.h"
#include "os/signals.h"
#include "os/standard_streams.h"
#include "verbs/git_command_line.h"
#include "verbs/git_monitor.h"

namespace resident {

namespace {

// The repository, index and worktree of the git that runs this. Returns nullopt if one of them is
// missing.
std::optional<ChangesQuestion> question_here(const std::string& token, std::string_view client) {
  const char* const git_dir = std::getenv("GIT_DIR");
  const char* const index_file = std::getenv("GIT_INDEX_FILE");
  const char* const worktree = std::getenv("GIT_WORK_TREE");
  ChangesQuestion question{asker_of(client), token};
  const std::string repository = real_path(git_dir ? git_dir : ".git");
  const std::string root = real_path(worktree ? worktree : ".");
  if (repository.empty() || root.empty()) return std::nullopt;
  question.git_dir = repository;
  question.worktree = root;
  question.index_file = repository + "/index";
  if (index_file) {
    question.index_file = index_file_at(".", index_file);
    if (question.index_file.empty()) return std::nullopt;
  }
  return question;
}

// Whether the asking git would take an unreported file for deleted. The asking git is first in the
// PATH that it passes to its children.
bool misreads_silence(std::string_view client) {
  if (!may_diff_tree(client)) return false;
  const Result<GitRules> rules = current_git_rules();
  return !rules.ok() || !rules->diffs_trees_with_monitor;
}

int answered(const std::string& output) {
  return write_to(kStandardOutput, output) ? 0 : 1;
}

}  // namespace

int fsmonitor_command(FileSystem&, const Arguments& arguments) {
  const std::string version = arguments.empty() ? "" : arguments[0];
  if (arguments.size() != 2 || (version != "1" && version != "2")) {
    std::fputs(
        "usage: git-resident fsmonitor <version> <token>\n"
        "git runs this command for core.fsmonitor. To set it up, run: git-resident accelerate\n",
        stderr);
    return kUsageError;
  }
  if (std::getenv(kAskedByUs.data())) return 1;
  exit_after(kGitsPatience);
  if (version == "1") return answered(std::string("/") + '\0');
  const std::string here = real_path(".");
  if (here.empty()) return 1;
  // git runs this without a shell in between.
  const std::string client = command_line_of(parent_process());
  const std::optional<ChangesQuestion> question = question_here(arguments[1], client);
  if (!question) return answered(monitor_answer(everything_changed()));
  Result<ChangesReply> reply = ask_resident(here, *question);
  if (!reply.ok()) return 1;
  reply->everything |= misreads_silence(client);
  return answered(monitor_answer(*reply));
}

}  // namespace resident
