#include "model/repository_place.h"

#include <cstdlib>
#include <utility>

#include "fs/real_path.h"
#include "repo_state/repository_format.h"
#include "repository/nested_repository.h"

namespace resident {

namespace {

std::string absolute_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value && *value == '/' ? value : "";
}

bool environment_names_repository() {
  return std::getenv("GIT_DIR") || std::getenv("GIT_WORK_TREE");
}

}  // namespace

// As git finds it: GIT_DIR comes before `.git`. Empty where nothing names one.
std::string RepositoryPlace::named_git_dir() const {
  std::string named = absolute_variable("GIT_DIR");
  return named.empty() ? named_git_directory(fs_, repository_.worktree) : named;
}

std::vector<std::string> RepositoryPlace::files_now() const {
  std::vector<std::string> files = {repository_.worktree + "/.git",
                                    repository_.git_dir + "/commondir",
                                    repository_.git_dir + "/HEAD"};
  // What is missing there makes git refuse, and can come later.
  const std::string named = named_git_dir();
  if (named.empty() || named == repository_.git_dir) return files;
  for (const char* name : {"", "/HEAD", "/commondir"}) files.push_back(named + name);
  return files;
}

Result<void> RepositoryPlace::check() {
  const bool differs = files_.paths().empty() || files_.differs(fs_, gate_);
  const bool is_known = verdict_.ok() || verdict_.error().code != ErrorCode::kPending;
  if (!differs && files_.is_settled() && is_known) return verdict_;
  if (differs || !files_.is_settled()) {
    files_ = FileSet::record_found(fs_, [this] { return files_now(); });
  }
  const std::string named = named_git_dir();
  verdict_ = judge({named.empty() ? "" : real_path(named),
                    real_path(common_directory_of(fs_, repository_.git_dir))},
                   differs);
  return verdict_;
}

// Before anything was accepted: whether it is what git found at the discovery. From the environment
// git finds repositories by more ways than we follow.
bool RepositoryPlace::is_expected(const Place& now) const {
  return environment_names_repository() || now.git_dir == real_path(repository_.git_dir);
}

Error RepositoryPlace::elsewhere() const {
  return {ErrorCode::kUnsupported,
          repository_.worktree + ": the git directory of this worktree has changed"};
}

Result<void> RepositoryPlace::judge(const Place& now, bool differs) {
  const bool is_same = accepted_ ? now == *accepted_ : !follows_ || is_expected(now);
  if (!is_same) {
    if (!follows_) return elsewhere();
    if (now != asked_ || differs) ask(now);
    switch (answer_) {
      case Answer::kNone:
        return BackgroundGit::pending("git rev-parse");
      case Answer::kMoved:
        return Error{ErrorCode::kPending,
                     repository_.worktree + ": the repository moved and is being opened again"};
      case Answer::kRefused:
        if (accepted_) return elsewhere();
        break;
      case Answer::kSame:
        break;
    }
  }
  accepted_ = now;
  return check_head();
}

Result<void> RepositoryPlace::check_head() const {
  const std::string head = repository_.git_dir + "/HEAD";
  const Result<std::string> content = fs_.read_file(head);
  if (!content.ok() || is_head(*content)) return {};
  return Error{ErrorCode::kUnsupported, head + ": not a valid HEAD file"};
}

void RepositoryPlace::ask(const Place& now) {
  if (task_ != 0) git_.tasks().cancel(task_);
  task_ = 0;
  asked_ = now;
  answer_ = Answer::kNone;
  found_.reset();
  GitCommand command = discovery_command(repository_.worktree);
  if (git_.runs_in_place()) return take(run_git(command));
  command.options.time_limit = BackgroundGit::kTimeLimit;
  task_ = git_.tasks().start(std::move(command), {"git rev-parse"},
                             [this](const Result<GitOutput>& said) { take(said); });
}

void RepositoryPlace::take(const Result<GitOutput>& said) {
  task_ = 0;
  Result<Repository> repository =
      said.ok() ? discovered(repository_.worktree, *said) : Result<Repository>(said.error());
  // Without a `.git` that counts, git finds the repository of a worktree around this one.
  if (!repository.ok() || repository->worktree != repository_.worktree) {
    answer_ = Answer::kRefused;
    return;
  }
  repository->prefix = repository_.prefix;
  answer_ = *repository == repository_ ? Answer::kSame : Answer::kMoved;
  if (answer_ == Answer::kMoved) found_ = *std::move(repository);
}

}  // namespace resident
