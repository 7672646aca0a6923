// `git-resident serve <worktree>`: keeps the model of a worktree in the foreground and answers on
// its socket.
#include <cstdio>
#include <string>
#include <utility>

#include "cli/commands.h"
#include "cli/kept_worktree.h"
#include "os/signals.h"
#include "os/standard_streams.h"

namespace resident {

namespace {

// Prints problems, and once that the first answer is ready. Ends the program when the worktree goes
// away.
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
    request_end();
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

  StoppableOutput output_{kStandardOutput};
  StoppableOutput errors_{kStandardError};
  bool announced_ = false;
  std::string trouble_;  // the last printed problem
};

}  // namespace

int serve_command(FileSystem&, const Arguments& arguments) {
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
