#include "cli/hand_to_git.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace resident {

int hand_to_git(const std::vector<std::string>& arguments) {
  // We promise not to write to the index; git would, to save its next refresh some work.
  ::setenv("GIT_OPTIONAL_LOCKS", "0", 0);
  std::vector<char*> command;
  std::string program = "git";
  command.push_back(program.data());
  // execvp does not write through them.
  for (const std::string& argument : arguments) {
    command.push_back(const_cast<char*>(argument.c_str()));
  }
  command.push_back(nullptr);
  ::execvp(program.c_str(), command.data());
  std::fprintf(stderr, "git-resident: cannot run git: %s\n", std::strerror(errno));
  return 127;
}

}  // namespace resident
