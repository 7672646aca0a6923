// `git-resident serve <worktree>`: keeps the model of a worktree in the foreground and answers on
// its socket.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "base/thread_annotations.h"
#include "cli/commands.h"
#include "cli/kept_worktree.h"

namespace resident {

namespace {

// Says once that the first answer is ready, and ends the program when the worktree goes away.
class Announcer final : public Resident::Listener {
 public:
  void on_delta(StatusDelta delta) override {
    for (const std::string& problem : delta.problems) std::fprintf(stderr, "%s\n", problem.c_str());
    if (!delta.state) return;
    const ModelState& state = *delta.state;
    if (state.kind == ModelState::Kind::kScanning) return;
    if (state.kind == ModelState::Kind::kFailed || state.kind == ModelState::Kind::kPolling) {
      std::fprintf(stderr, "git-resident: %s\n", describe(state).c_str());
    }
    if (announced_) return;
    announced_ = true;
    std::printf("ready: %s\n", describe(state).c_str());
    std::fflush(stdout);
  }
  void on_gone(const std::string& message) override {
    std::fprintf(stderr, "git-resident: %s\n", message.c_str());
    ::kill(::getpid(), SIGTERM);
  }

 private:
  bool announced_ = false;
};

}  // namespace

int serve_command(const Arguments& arguments) {
  if (arguments.size() != 1) {
    std::fputs("usage: git-resident serve <worktree>\n", stderr);
    return 129;
  }
  Announcer announcer;
  return keep_worktree(arguments[0], announcer);
}

}  // namespace resident
