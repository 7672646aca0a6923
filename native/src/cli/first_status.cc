#include "cli/first_status.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

#include "cli/resident_client.h"
#include "fs/real_path.h"
#include "git/git_environment.h"
#include "index/index.h"
#include "tree/change_journal.h"
#include "verbs/changes_question.h"

namespace resident {

namespace {

// One run more than an untracked cache needs, for a daemon of git's that gives up its place late.
constexpr int kMaxRuns = 3;

// Unlike the gits that we ask, this git writes the index and asks our hook.
std::vector<std::string> writing_environment() {
  return git_environment({"GIT_OPTIONAL_LOCKS", std::string(kAskedByUs)});
}

Result<void> run_status(const std::string& worktree) {
  std::string words[] = {"git", "-C", worktree, "status"};
  std::vector<char*> command;
  for (std::string& word : words) command.push_back(word.data());
  command.push_back(nullptr);
  std::vector<std::string> variables = writing_environment();
  std::vector<char*> environment;
  for (std::string& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t git = 0;
  const int failed =
      ::posix_spawnp(&git, "git", &actions, nullptr, command.data(), environment.data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return Error{ErrorCode::kIo, std::string("git: ") + std::strerror(failed)};
  int status = 0;
  while (::waitpid(git, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return Error{ErrorCode::kIo, "git status failed"};
}

Result<std::string> token_in_index(const Repository& repository) {
  RESIDENT_TRY(const auto index,
               Index::load(repository.index_path,
                           {.algorithm = repository.algorithm, .verify_checksum = false}));
  return std::string(index->fsmonitor_token());
}

}  // namespace

bool is_kept(const std::string& worktree) {
  ChangesQuestion question;
  question.whom = WorktreeModel::ChangesFor::kPeople;
  const std::string root = real_path(worktree);
  // The first answer comes once the config is known. By the second, the process listens on the
  // socket of git's daemon if the config says so.
  return ask_resident(root, question).ok() && ask_resident(root, question).ok();
}

Result<void> run_first_status(const Repository& repository) {
  std::string token;
  for (int run = 0; run < kMaxRuns; ++run) {
    RESIDENT_CHECK(run_status(repository.worktree));
    RESIDENT_TRY(token, token_in_index(repository));
    if (ChangeJournal::is_told_only_changes(token)) return {};
    if (token == ChangeJournal::no_token()) break;
  }
  return Error{
      ErrorCode::kUnsupported,
      "git status still reads every file: git got no list of changes for " + repository.worktree};
}

bool ask_for_first_status() {
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0) return false;
  std::printf("Run git status once now? It reads every file, and the next ones are fast. [Y/n] ");
  std::fflush(stdout);
  char answer[16];
  if (!std::fgets(answer, sizeof answer, stdin)) return false;
  return std::strchr("yY\n", answer[0]) != nullptr;
}

}  // namespace resident
