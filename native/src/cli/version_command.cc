#include <cstdio>

#include "cli/commands.h"

namespace resident {

int version_command(FileSystem&, const Arguments&) {
  std::puts("git-resident version " RESIDENT_VERSION);
  return 0;
}

}  // namespace resident
