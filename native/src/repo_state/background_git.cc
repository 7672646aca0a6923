#include "repo_state/background_git.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace resident {

namespace {

// Delay before asking again, without a question, about data that can change without an event.
constexpr std::chrono::seconds kAskAgain{1};
// Limit of repeats for files that never settle, such as a file with a future time or an unreadable
// file.
constexpr int kMaxUnsettled = 3;

// Keeps git from searching for a repository above `worktree`. If `worktree` has no repository, git
// would answer for another one. Git's list of directories uses ':' as separator, so such a path is
// left out.
std::vector<std::string> no_repository_above(const std::string& worktree) {
  const std::string above = worktree.substr(0, worktree.rfind('/'));
  if (!worktree.starts_with('/') || above.empty() || above.find(':') != above.npos) return {};
  return {"GIT_CEILING_DIRECTORIES=" + above};
}

}  // namespace

GitCommand BackgroundGit::command(std::vector<std::string> arguments) const {
  GitCommand command;
  if (!asks_monitor_) command.arguments = {"-c", "core.fsmonitor=false"};
  std::move(arguments.begin(), arguments.end(), std::back_inserter(command.arguments));
  command.options.cwd = directory_;
  command.options.environment = no_repository_above(directory_);
  if (!runs_in_place()) command.options.time_limit = kTimeLimit;
  return command;
}

void BackgroundGit::record_request(LastAsked& last) const {
  last = {tasks_.next(), now_(), last.for_unsettled + 1};
}

void BackgroundGit::record_answer(Asked& asked) const {
  asked.task = 0;
  asked.heard = asked.moment;
  asked.at = now_();
}

bool BackgroundGit::is_to_be_asked_again(const LastAsked& last) const {
  if (runs_in_place()) return true;
  return question_ ? last.moment < *question_ : now_() - last.at >= kAskAgain;
}

BackgroundGit::DueTime BackgroundGit::due_again(const LastAsked& last) const {
  const bool is_given_up = last.for_unsettled > kMaxUnsettled;
  if (is_given_up || runs_in_place()) return std::nullopt;
  return last.at + kAskAgain;
}

Error BackgroundGit::pending(const std::string& subject) {
  return Error{ErrorCode::kPending, subject + " has not answered yet"};
}

BackgroundGit::DueTime BackgroundGit::earlier(DueTime a, DueTime b) {
  return a && b ? std::min(*a, *b) : a ? a : b;
}

}  // namespace resident
