#include "fs/real_path.h"

#include <stdlib.h>

namespace resident {

std::string real_path(const std::string& path) {
  char* real = ::realpath(path.c_str(), nullptr);
  std::string resolved = real ? real : "";
  ::free(real);
  return resolved;
}

}  // namespace resident
