#include "repo_state/background_git.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace resident {

namespace {

// Unasked, what may be another thing though nothing tells so is asked again after so long.
constexpr std::chrono::seconds kAskAgain{1};
// What never settles (a file of tomorrow, one that cannot be seen) is asked again so often by
// itself.
constexpr int kMaxUnsettled = 3;

// Keeps git from looking for a repository above `worktree`: without one of its own, it would tell
// of another worktree. In git's list of directories a colon ends a path.
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
