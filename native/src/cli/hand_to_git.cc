#include "cli/hand_to_git.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "os/child_process.h"
#include "os/environment.h"

namespace resident {

namespace {

// Counts how often a command was handed on to git. The count would grow without end if the "git" on
// PATH runs git-resident again.
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
  set_variable(kHandedOn, std::to_string(handed_on + 1));
  // This program promises not to write to the index. git would write it to make its next refresh
  // cheaper.
  set_variable("GIT_OPTIONAL_LOCKS", "0");
  std::vector<std::string> command = {"git"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const Error error = replace_by_program(command);
  std::fprintf(stderr, "git-resident: cannot run git: %s\n", error.message.c_str());
  return 127;
}

}  // namespace resident
