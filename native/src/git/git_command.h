// run_git: runs the `git` on PATH and captures what it says.
//
// Always with GIT_OPTIONAL_LOCKS=0, so that git never takes index.lock just to refresh an index
// that it reads. Nothing of this process leaks into the child but its environment: every descriptor
// is close-on-exec, signals are back to their defaults. The child is reaped by its own pid and
// before run_git returns, whatever happens, so it is at home in a process that has other children
// (Node).
//
// Threads: any thread, any number at once. The environment is read without a lock, as execvp would:
// no other thread may call setenv meanwhile.
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
  // The program; a name without a slash is looked up in PATH.
  std::string program = "git";
  // Where git runs (`git -C`); empty: this process's working directory.
  std::string cwd = {};
  // Standard input; unset: /dev/null.
  std::optional<std::string_view> input = {};
  // "NAME=value" replaces or adds a variable, "NAME" removes it.
  std::vector<std::string> environment = {};
  // Zero: none. When it passes, git is ended and the result is an error.
  std::chrono::milliseconds time_limit{0};
  // Bytes of `out` and of `err` each. One byte more ends git and is an error.
  size_t byte_limit = size_t{1} << 30;
  // A stop request, of this or of the TurnContext, ends git and what it started; the result is
  // kCancelled.
  std::stop_token stop = {};
};

struct GitOutput {
  int exit_code = 0;  // 128 + signal number where a signal ended git, as a shell has it
  std::string out;
  std::string err;
};

// Any exit code is a result; an Error means that git could not be run to its end.
Result<GitOutput> run_git(const std::vector<std::string>& arguments,
                          const GitRunOptions& options = {});

// "git <command>" of git's arguments: what follows any number of "-c <setting>".
std::string command_name(const std::vector<std::string>& arguments,
                         const std::string& program = "git");

// What git wrote to standard error as one message without "fatal: ", or "git exited with <code>"
// where it wrote nothing.
std::string git_message(const GitOutput& output);

}  // namespace resident
