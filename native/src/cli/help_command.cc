#include <cstdio>

#include "cli/commands.h"

namespace resident {

int help_command(FileSystem&, const Arguments&) {
  std::fputs(
      "usage: git-resident <command> [<options>]\n"
      "\n"
      "A resident process keeps the status of a worktree in memory: VS Code, serve or watch.\n"
      "\n"
      "   status [--source=auto|scan|resident] [<git status options>] [--] [<pathspec>...]\n"
      "              Print what `git status` prints, byte for byte. The resident process answers\n"
      "              if it runs (auto). Other sources: a scan of the disk (scan), or only the\n"
      "              resident process (resident).\n"
      "   serve [--sweep=<minutes>|off] <worktree>\n"
      "              Keep the status of a worktree ready, in the foreground. Print a line when "
      "the\n"
      "              first answer is ready. --sweep sets the interval of the background check:\n"
      "              10 minutes by default, or never (off).\n"
      "   watch [--json [--details]] [--sweep=<minutes>|off] [<worktree>]\n"
      "              Show a live view of the status. With --json, print one line of JSON for each\n"
      "              update.\n"
      "   explain [--json] [--] <path>...\n"
      "              Explain the status of each path: the differences, the ignore rule,\n"
      "              the attributes, and the flags that hide changes. With --json, print one\n"
      "              line of JSON for each path.\n"
      "   prompt [<gitstatusd options>] | prompt --format[=<format>] [<directory>]\n"
      "              Answer shell prompts in gitstatusd's protocol, or print one line. For the\n"
      "              options, run `git-resident prompt --help`.\n"
      "   since [-z] [<token> [<worktree>]]\n"
      "              Print a new token, and the paths that changed since an earlier token. A line\n"
      "              \"/\" means that any path can have changed.\n"
      "   accelerate [--by-socket] [--many-files] [--untracked-all] [--warm | --dry-run | --undo]\n"
      "              [<worktree>]\n"
      "              Speed up git: git asks the resident process which files changed\n"
      "              (core.fsmonitor). --by-socket replaces git's own daemon (git 2.55).\n"
      "              --many-files also sets feature.manyFiles. --untracked-all also sets\n"
      "              status.showUntrackedFiles=all, which speeds up git status -uall. --warm runs\n"
      "              git status once, so the next one is fast. --dry-run only prints the "
      "settings.\n"
      "              --undo restores the earlier settings.\n"
      "   fsmonitor  Answer git's core.fsmonitor hook. Git runs this command.\n"
      "   version    Print the version.\n"
      "   help       Print this text.\n",
      stdout);
  return 0;
}

}  // namespace resident
