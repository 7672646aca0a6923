// A test parameter that an environment variable can change, such as the number of seeds.
#pragma once

#include <cstdlib>

namespace resident::testing {

// The value of the environment variable `name`, or `otherwise` if unset.
inline unsigned number_from(const char* name, unsigned otherwise) {
  const char* const text = std::getenv(name);
  return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : otherwise;
}

}  // namespace resident::testing
