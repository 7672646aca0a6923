#include "cli/prompt_answers.h"

#include <utility>

#include "base/path_parts.h"
#include "cli/resident_client.h"
#include "config/config.h"
#include "fs/real_path.h"
#include "git/git_command.h"
#include "repository/nested_repository.h"
#include "repository/repository.h"

namespace resident {

namespace {

// A stopped process must not block a shell.
constexpr std::chrono::milliseconds kPatience{2000};

// The worktree that the files of a git directory name. Empty if they name none.
Result<std::string> named_worktree(FileSystem& fs, const std::string& git_dir) {
  // A linked worktree's git directory names the worktree's .git file.
  if (Result<std::string> link = fs.read_file(git_dir + "/gitdir"); link.ok()) {
    std::string file = link->substr(0, link->find('\n'));
    if (!file.starts_with('/')) file = git_dir + "/" + file;
    return real_path(parent_directory(file));
  }
  for (const char* file : {"/config.worktree", "/config"}) {
    const std::string path = git_dir + file;
    if (!fs.stat(path).ok()) continue;
    GitCommand command;
    command.arguments = {"config", "--file", path, "--get", "core.worktree"};
    RESIDENT_TRY(const GitOutput said, run_git(command));
    if (said.exit_code != 0) continue;
    const std::string named = said.out.substr(0, said.out.find('\n'));
    return real_path(named.starts_with('/') ? named : git_dir + "/" + named);
  }
  return git_dir.ends_with("/.git") ? parent_directory(git_dir) : std::string();
}

Result<std::string> root_of_git_dir(FileSystem& fs, const std::string& named) {
  const std::string git_dir = real_path(named);
  if (git_dir.empty() || !is_git_directory(fs, git_dir)) {
    return Error{ErrorCode::kNotFound, named + ": not a git directory"};
  }
  RESIDENT_TRY(const std::string worktree, named_worktree(fs, git_dir));
  if (worktree.empty())
    return Error{ErrorCode::kInvalid, named + ": the git directory has no worktree"};
  RESIDENT_TRY(const Repository repository, discover(worktree));
  if (real_path(repository.git_dir) != git_dir) {
    return Error{ErrorCode::kInvalid,
                 named + ": the worktree " + worktree + " has a different git directory"};
  }
  return repository.worktree;
}

}  // namespace

Result<std::string> PromptAnswers::find_root(FileSystem& fs, const PromptRequest& request) {
  if (request.directory.empty()) return Error{ErrorCode::kNotFound, "no directory"};
  if (request.is_git_dir) return root_of_git_dir(fs, request.directory);
  return worktree_root(fs, request.directory);
}

Result<PromptStatus> ask_keeper(const std::string& root, const PromptQuery& query) {
  PromptQuestion question;
  question.client.environment = deciding_environment(root);
  question.query = query;
  RESIDENT_TRY(PromptReply reply, ask_resident(root, std::move(question), kPatience));
  if (reply.kind != PromptReply::Kind::kOk) {
    return Error{ErrorCode::kUnsupported, std::move(reply.message)};
  }
  return std::move(reply.status);
}

Result<PromptStatus> PromptAnswers::answer(const std::string& root, const PromptQuery& query) {
  Result<PromptStatus> kept = ask_keeper(root, query);
  if (!kept.ok()) return own_.ask(root, query);
  own_.release(root);
  return kept;
}

}  // namespace resident
