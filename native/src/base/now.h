// The steady clock as something that is given, so that a test can step through time.
#pragma once

#include <chrono>
#include <functional>

namespace resident {

using Now = std::function<std::chrono::steady_clock::time_point()>;

inline Now steady_now() {
  return &std::chrono::steady_clock::now;
}

}  // namespace resident
