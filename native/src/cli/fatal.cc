#include "cli/fatal.h"

#include <cstdio>

namespace resident {

int fatal(const std::string& message) {
  std::fprintf(stderr, "fatal: %s\n", message.c_str());
  return kFatal;
}

}  // namespace resident
