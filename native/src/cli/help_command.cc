#include <cstdio>

#include "cli/commands.h"

namespace resident {

int help_command(const Arguments&) {
  std::fputs(
      "usage: git-resident <command> [<options>]\n"
      "\n"
      "   status [--source=auto|scan|resident] [<git status options>] [--] [<pathspec>...]\n"
      "              what `git status` says, byte for byte; from a resident process where there\n"
      "              is one (auto), from the disk now (scan), or only from that process "
      "(resident)\n"
      "   serve [--sweep=<minutes>|off] <worktree>\n"
      "              keeps the worktree's model in the foreground; says when the first answer is "
      "ready.\n"
      "              What no event tells is found within so many minutes (10), or never (off)\n"
      "   watch [--json [--details]] [--sweep=<minutes>|off] [<worktree>]\n"
      "              a live view of the worktree's status; with --json a line of JSON for each "
      "step\n"
      "   explain [--json] [--] <path>...\n"
      "              why a path stands in the status as it does: what differs, which line of "
      "which\n"
      "              file ignores it or gives it attributes, what hides it; as text, or a line of\n"
      "              JSON for each path\n"
      "   prompt [<gitstatusd options>] | prompt --format[=<format>] [<directory>]\n"
      "              what shells show of a repository: in gitstatusd's protocol, or one line\n"
      "   since [-z] [<token> [<worktree>]]\n"
      "              what changed since an earlier call printed <token>, and a token for the next; "
      "a\n"
      "              line \"/\" means everything\n"
      "   accelerate [--by-socket] [--many-files] [--warm | --dry-run | --undo] [<worktree>]\n"
      "              speeds up git: git asks a resident process what changed (core.fsmonitor)\n"
      "   fsmonitor  what git runs for that\n"
      "   version    the version\n"
      "   help       this text\n",
      stdout);
  return 0;
}

}  // namespace resident
