#include "cli/hand_to_git.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace resident {

namespace {

// How often a command was handed on before it came to us, which a "git" on PATH that runs
// git-resident again makes grow without end.
constexpr const char* kHandedOn = "RESIDENT_GIT_HANDED_ON";
constexpr int kMaxHandedOn = 8;

}  // namespace

int hand_to_git(const std::vector<std::string>& arguments) {
  const char* before = std::getenv(kHandedOn);
  const int handed_on = before ? std::atoi(before) : 0;
  if (handed_on >= kMaxHandedOn) {
    std::fputs(
        "git-resident: the git on PATH runs git-resident; git itself must be first on PATH\n",
        stderr);
    return 127;
  }
  ::setenv(kHandedOn, std::to_string(handed_on + 1).c_str(), 1);
  // We promise not to write to the index; git would, to save its next refresh some work.
  ::setenv("GIT_OPTIONAL_LOCKS", "0", 1);
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
