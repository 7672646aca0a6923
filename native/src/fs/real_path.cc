#include "fs/real_path.h"

#include <stdlib.h>

#include <memory>

namespace resident {

std::string real_path(const std::string& path) {
  // Given back also where there is no memory for another string.
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), &::free);
  return real ? real.get() : "";
}

}  // namespace resident
