// GitRunner: runs git in the background.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "git/git_command.h"

namespace resident {

// A command that owns all of its data. git runs in `options.cwd`; options.input and options.stop
// are unset.
struct GitCommand {
  std::vector<std::string> arguments;
  GitRunOptions options = {};
  std::optional<std::string> input = {};
};

// Runs git on the calling thread and waits for it.
Result<GitOutput> run_git(const GitCommand& command);

class GitRunner {
 public:
  using Number = uint64_t;
  using Done = std::function<void(Result<GitOutput>)>;

  virtual ~GitRunner() = default;

  // Returns at once. Calls `done` once, on any thread; it must not block, and must not call the
  // runner. Any thread may call start().
  virtual Number start(GitCommand command, Done done) = 0;
  // Ends the program and its descendants soon, because the answer is not wanted. `done` is not
  // called after this returns. A finished command is not affected.
  virtual void cancel(Number number) = 0;
};

}  // namespace resident
