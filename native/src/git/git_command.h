// run_git: runs the `git` on PATH and captures its output.
//
// It always sets GIT_OPTIONAL_LOCKS=0, so that git never takes index.lock only to refresh the index
// that it reads. The child inherits only this process's environment: every descriptor is
// close-on-exec, and signals have their defaults. The child is always reaped by its own pid before
// run_git returns. This makes it safe in a process with other children (Node).
//
// Threads: any, in parallel. The environment is read without a lock, like in execvp: no other
// thread may call setenv meanwhile.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace resident {

struct GitRunOptions {
  // The program. A name without a slash is searched in PATH.
  std::string program = "git";
  // git's working directory (`git -C`); empty: this process's.
  std::string cwd = {};
  // Standard input; unset: /dev/null.
  std::optional<std::string_view> input = {};
  // "NAME=value" replaces or adds a variable, "NAME" removes it.
  std::vector<std::string> environment = {};
  // Zero: no limit. After this time, git is ended and the result is an error.
  std::chrono::milliseconds time_limit{0};
  // Limit of `out` and of `err`, each, in bytes. Beyond it, git is ended and the result is an
  // error.
  size_t byte_limit = size_t{1} << 30;
  // A stop request of this token, or of the TurnContext, ends git and its descendants. The result
  // is kCancelled.
  std::stop_token stop = {};
};

struct GitOutput {
  int exit_code = 0;  // 128 + signal number if a signal ended git, like in a shell
  std::string out;
  std::string err;
};

// Any exit code is a result. An Error means that git did not run to its end.
Result<GitOutput> run_git(const std::vector<std::string>& arguments,
                          const GitRunOptions& options = {});

// Returns "git <command>" for git's arguments, without leading "-c <setting>" options.
std::string command_name(const std::vector<std::string>& arguments,
                         const std::string& program = "git");

// Returns git's standard error as one message without "fatal: ". If it is empty, returns "git
// exited with <code>".
std::string git_message(const GitOutput& output);

}  // namespace resident
