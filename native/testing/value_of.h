// value_of(): for what a test cannot go on without, such as an inotify instance. GoogleTest reports
// the exception as the failure of that one test; a fixture that only expects would go on with what
// is not there.
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
