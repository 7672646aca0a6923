// A number of a test that can be another one by hand: how many seeds, or which.
#pragma once

#include <cstdlib>

namespace resident::testing {

// The value of the environment variable `name`, or `otherwise` where it is not set.
inline unsigned number_from(const char* name, unsigned otherwise) {
  const char* const text = std::getenv(name);
  return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : otherwise;
}

}  // namespace resident::testing
