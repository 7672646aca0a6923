// The steady clock as a parameter, so that tests can control time.
#pragma once

#include <chrono>
#include <functional>

namespace resident {

using Now = std::function<std::chrono::steady_clock::time_point()>;

inline Now steady_now() {
  return &std::chrono::steady_clock::now;
}

}  // namespace resident
