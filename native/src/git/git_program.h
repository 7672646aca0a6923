// Finds the program `git`: the first one on PATH, with the rules of execvp.
//
// Threads: any. The environment is read without a lock, like in execvp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "os/file_identity.h"

namespace resident {

// A program and its identity, which changes with its content. A script that runs a git of its
// choice keeps its identity when it changes its choice.
struct GitProgram {
  std::string path;
  FileIdentity file;
  friend bool operator==(const GitProgram&, const GitProgram&) = default;
};

// nullopt: PATH has no git. A relative directory in PATH is resolved from the working directory.
std::optional<GitProgram> git_on_path();

// Returns a text that identifies the program in every process. It does not include the path.
std::string identity_of(const GitProgram& program);

// Returns the paths that decide the result of git_on_path(), in the order of PATH. The program
// comes last, after the places without a program.
std::vector<std::string> git_program_places();

}  // namespace resident
