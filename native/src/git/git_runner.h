// GitRunner: runs git for those who do not wait for it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "git/git_command.h"

namespace resident {

// A command that owns everything it needs. git runs in `options.cwd`; options.input and
// options.stop are unset.
struct GitCommand {
  std::vector<std::string> arguments;
  GitRunOptions options = {};
  std::optional<std::string> input = {};
};

// In place.
Result<GitOutput> run_git(const GitCommand& command);

class GitRunner {
 public:
  using Number = uint64_t;
  using Done = std::function<void(Result<GitOutput>)>;

  virtual ~GitRunner() = default;

  // Does not wait. `done` is called once, on any thread; it must not block, and not call back. Any
  // thread may call this.
  virtual Number start(GitCommand command, Done done) = 0;
  // Nobody wants the answer any more: `done` is not called after this returns, and the program and
  // what it started end soon. One that has answered is left alone.
  virtual void cancel(Number number) = 0;
};

}  // namespace resident
