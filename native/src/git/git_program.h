// Which program `git` is: the first one on PATH, as execvp looks for it.
//
// Threads: any. The environment is read without a lock, as execvp would.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace resident {

// A program and what changes with its content. A script that runs a git of its own choice keeps
// its identity when that git becomes another one.
struct GitProgram {
  std::string path;
  uint64_t device = 0;
  uint64_t inode = 0;
  int64_t size = 0;
  int64_t mtime_seconds = 0;
  int64_t mtime_nanoseconds = 0;
  friend bool operator==(const GitProgram&, const GitProgram&) = default;
};

// nullopt where PATH leads to none. A relative directory in PATH is taken from the working
// directory.
std::optional<GitProgram> git_on_path();

// What tells a program from others wherever it is asked from, its path left out.
std::string identity_of(const GitProgram& program);

// The paths that decide which program git_on_path() is, in the order of PATH: the program itself
// comes last, before it those where none is.
std::vector<std::string> git_program_places();

}  // namespace resident
