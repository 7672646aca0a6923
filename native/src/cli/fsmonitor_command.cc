// `git-resident fsmonitor <version> <token>`: what core.fsmonitor names is run by git with these
// arguments, in the worktree's root, before it looks at the files of an index (githooks(5),
// fsmonitor-watchman).
//
// Output of version 2: a token, then each name that changed since the one that git kept, all ending
// in NUL; "/" for everything. Version 1 has no tokens: everything changed. Another exit code than 0
// makes git look at everything too, so that whatever is wrong here costs time alone: no process
// keeps the worktree, or it does not answer in time.
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

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
#include "verbs/git_command_line.h"
#include "verbs/git_monitor.h"

namespace resident {

namespace {

constexpr itimerval kLimit{{0, 0}, {kGitsPatience.count(), 0}};

void give_up_in_time() {
  struct sigaction action = {};
  action.sa_handler = [](int) { ::_exit(1); };
  ::sigaction(SIGALRM, &action, nullptr);
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  ::sigprocmask(SIG_UNBLOCK, &alarm, nullptr);
  ::setitimer(ITIMER_REAL, &kLimit, nullptr);
}

// Where the git that runs this has its repository, index and worktree; nullopt where one of them is
// not there.
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

// Whether the git that asks would take a file that it is told nothing of for deleted. That git is
// first on the PATH that it gives to what it runs.
bool misreads_silence(std::string_view client) {
  if (!may_diff_tree(client)) return false;
  const Result<GitRules> rules = current_git_rules();
  return !rules.ok() || !rules->diffs_trees_with_monitor;
}

int answered(const std::string& output) {
  return write_to(STDOUT_FILENO, output) ? 0 : 1;
}

}  // namespace

int fsmonitor_command(const Arguments& arguments) {
  const std::string version = arguments.empty() ? "" : arguments[0];
  if (arguments.size() != 2 || (version != "1" && version != "2")) {
    std::fputs(
        "usage: git config core.fsmonitor <path of git-resident>\n"
        "Git runs this program with a version (1 or 2) and a token.\n",
        stderr);
    return kUsageError;
  }
  if (std::getenv(kAskedByUs.data())) return 1;
  give_up_in_time();
  if (version == "1") return answered(std::string("/") + '\0');
  const std::string here = real_path(".");
  if (here.empty()) return 1;
  // git runs this without a shell between.
  const std::string client = command_line_of(::getppid());
  const std::optional<ChangesQuestion> question = question_here(arguments[1], client);
  if (!question) return answered(monitor_answer_everything());
  Result<ChangesReply> reply = ask_resident(here, *question);
  if (!reply.ok()) return 1;
  reply->everything |= misreads_silence(client);
  return answered(monitor_answer(*reply));
}

}  // namespace resident
