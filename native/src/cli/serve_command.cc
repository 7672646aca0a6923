// `git-resident serve <worktree>`: keeps the model of a worktree in the foreground and answers on
// its socket.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <utility>

#include "cli/commands.h"
#include "cli/kept_worktree.h"

namespace resident {

namespace {

// Says problems, then once that the first answer is ready, and ends the program when the worktree
// goes away.
class Announcer final : public WorktreeTeller {
 public:
  StoppableOutput& output() { return output_; }
  StoppableOutput& errors() { return errors_; }

  void on_chunk(const DeltaChunk& chunk) override {
    std::string said;
    for (const std::string& problem : chunk.delta.problems) said += problem + "\n";
    if (chunk.delta.state) said += new_trouble(*chunk.delta.state);
    errors_.write(said);
    if (chunk.delta.state) announce(*chunk.delta.state);
  }
  void on_gone(const std::string& message) override {
    errors_.write("git-resident: " + message + "\n");
    ::kill(::getpid(), SIGTERM);
  }

 private:
  std::string new_trouble(const ModelState& state) {
    if (state.kind == ModelState::Kind::kScanning) return {};
    std::string trouble;
    if (state.kind == ModelState::Kind::kFailed || state.kind == ModelState::Kind::kPolling) {
      trouble = "git-resident: " + describe(state) + "\n";
    }
    return std::exchange(trouble_, trouble) != trouble ? trouble : std::string();
  }
  void announce(const ModelState& state) {
    if (state.kind == ModelState::Kind::kScanning || std::exchange(announced_, true)) return;
    output_.write("ready: " + describe(state) + "\n");
  }

  StoppableOutput output_{STDOUT_FILENO};
  StoppableOutput errors_{STDERR_FILENO};
  bool announced_ = false;
  std::string trouble_;  // that was told last
};

}  // namespace

int serve_command(const Arguments& arguments) {
  Arguments rest = arguments;
  const std::optional<std::chrono::milliseconds> sweep = parse_sweep_option(rest);
  if (!sweep || rest.size() != 1) {
    std::fputs("usage: git-resident serve [--sweep=<minutes>|off] <worktree>\n", stderr);
    return 129;
  }
  Announcer announcer;
  return keep_worktree(rest[0], *sweep, announcer, {&announcer.output(), &announcer.errors()});
}

}  // namespace resident
