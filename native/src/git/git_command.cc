#include "git/git_command.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "git/git_run.h"
#include "os/event_loop.h"
#include "parallel/executor.h"
#include "parallel/turn_context.h"

namespace resident {

namespace {

// Interval for polling the stop request if there is no Wakeup, in ms.
constexpr int kPace = 20;

}  // namespace

std::string command_name(const std::vector<std::string>& arguments, const std::string& program) {
  size_t at = 0;
  while (at + 2 < arguments.size() && arguments[at] == "-c") at += 2;
  return at < arguments.size() ? program + " " + arguments[at] : program;
}

Result<GitOutput> run_git(const std::vector<std::string>& arguments, const GitRunOptions& options) {
  const std::stop_token turns_stop = TurnContext::current().stop;
  const auto is_stopped = [&] {
    return options.stop.stop_requested() || turns_stop.stop_requested();
  };
  if (is_stopped()) return Error{ErrorCode::kCancelled, "git: cancelled"};
  const bool is_stoppable = options.stop.stop_possible() || turns_stop.stop_possible();
  RESIDENT_TRY(const std::unique_ptr<GitRun> git, GitRun::start(arguments, options, is_stoppable));
  const Result<Wakeup> wake = Wakeup::make();
  const auto on_stop = [&wake] {
    if (wake.ok()) wake->wake();
  };
  const std::stop_callback on_own_stop(options.stop, on_stop);
  const std::stop_callback on_turns_stop(turns_stop, on_stop);
  const Executor::Waiting waiting(Executor::WaitsFor::kProgram);
  std::vector<Awaited> descriptors;
  while (!git->advance()) {
    if (is_stopped()) {
      git->stop();
      // Lets the wait sleep while the child ends.
      if (wake.ok()) wake->clear();
    }
    descriptors.clear();
    git->append_descriptors(descriptors);
    if (wake.ok()) descriptors.push_back({wake->fd(), kReadable});
    int left = git->milliseconds_left();
    if (!wake.ok() && (left < 0 || left > kPace)) left = kPace;
    if (!wait_for(descriptors, left)) {
      return error_from_errno(errno, "git: poll");
    }
  }
  return git->result();
}

std::string git_message(const GitOutput& output) {
  std::string_view text = output.err;
  while (text.ends_with('\n')) text.remove_suffix(1);
  for (std::string_view prefix : {"fatal: ", "error: "}) {
    if (text.starts_with(prefix)) {
      text.remove_prefix(prefix.size());
      break;
    }
  }
  if (text.empty()) return "git exited with " + std::to_string(output.exit_code);
  return std::string(text);
}

}  // namespace resident
