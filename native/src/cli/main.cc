// git-resident: finds the subcommand and runs it.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "fs/linux/posix_file_system.h"
#include "os/standard_streams.h"

namespace {

struct Command {
  std::string_view name;
  int (*run)(resident::FileSystem& fs, const resident::Arguments& arguments);
};

constexpr Command kCommands[] = {
    {"status", resident::status_command},
    {"serve", resident::serve_command},
    {"watch", resident::watch_command},
    {"explain", resident::explain_command},
    {"prompt", resident::prompt_command},
    {"since", resident::since_command},
    {"accelerate", resident::accelerate_command},
    {"fsmonitor", resident::fsmonitor_command},
    {"version", resident::version_command},
    {"--version", resident::version_command},
    {"help", resident::help_command},
    {"--help", resident::help_command},
    {"-h", resident::help_command},
};

int run(resident::FileSystem& fs, int argc, char** argv) {
  if (argc < 2) {
    resident::help_command(fs, {});
    return 1;
  }
  std::string_view name = argv[1];
  // git decides about the help of status, and prompt has its own help.
  const std::string_view first = argc > 2 ? argv[2] : "";
  if (name != "status" && name != "prompt" && (first == "--help" || first == "-h")) name = "help";
  // The plugins of gitstatus start the program in GITSTATUS_DAEMON like this.
  if (name == "-G") return resident::prompt_command(fs, resident::Arguments(argv + 1, argv + argc));
  // git calls the hook of core.fsmonitor like this.
  if (name == "1" || name == "2") return resident::fsmonitor_command(fs, {argv + 1, argv + argc});
  for (const Command& command : kCommands) {
    if (command.name == name) return command.run(fs, resident::Arguments(argv + 2, argv + argc));
  }
  std::fprintf(stderr, "git-resident: '%s' is not a command. See 'git-resident help'.\n", argv[1]);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (!resident::open_standard_streams()) {
      return resident::fatal(std::string("cannot open /dev/null: ") + std::strerror(errno));
    }
    return run(resident::posix_file_system(), argc, argv);
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
    // The requested size is too large.
  }
  std::fputs("fatal: git-resident: not enough memory\n", stderr);
  return 128;
}
