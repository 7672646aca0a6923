// value_of(): for a value without which a test cannot continue, such as an inotify instance. Throws
// without it. GoogleTest reports the exception as the failure of that one test. An EXPECT in a
// fixture would continue without the value.
#pragma once

#include <stdexcept>
#include <utility>

#include "base/result.h"

namespace resident::testing {

template <typename T>
T value_of(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.error().message);
  return std::move(result).value();
}

}  // namespace resident::testing
