#include "fs/real_path.h"

#include <stdlib.h>

#include <memory>

namespace resident {

std::string real_path(const std::string& path) {
  // Freed even if the allocation of the result throws.
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), &::free);
  return real ? real.get() : "";
}

}  // namespace resident
