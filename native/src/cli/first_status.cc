#include "cli/first_status.h"

#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

#include "cli/resident_client.h"
#include "fs/real_path.h"
#include "git/git_environment.h"
#include "index/index.h"
#include "os/child_process.h"
#include "os/standard_streams.h"
#include "tree/change_journal.h"
#include "verbs/changes_question.h"

namespace resident {

namespace {

// One more run than an untracked cache needs, because git's daemon can release its socket late.
constexpr int kMaxRuns = 3;

// Unlike our other git processes, this git writes the index and asks our hook.
std::vector<std::string> writing_environment() {
  return git_environment({"GIT_OPTIONAL_LOCKS", std::string(kAskedByUs)});
}

Result<void> run_status(const std::string& worktree) {
  RESIDENT_TRY(const int exit_code,
               run_program({"git", "-C", worktree, "status"}, writing_environment()));
  if (exit_code == 0) return {};
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
  // The first answer arrives once the config is known. At the second answer, the process listens on
  // the socket of git's daemon if the config requests that.
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
  if (!is_terminal(kStandardInput) || !is_terminal(kStandardOutput)) return false;
  std::printf("Run git status once now? It reads every file, and the next ones are fast. [Y/n] ");
  std::fflush(stdout);
  char answer[16];
  if (!std::fgets(answer, sizeof answer, stdin)) return false;
  return std::strchr("yY\n", answer[0]) != nullptr;
}

}  // namespace resident
