// For callers that can wait: calls a function that takes a continuation, and returns the
// continuation's argument.
#pragma once

#include <future>
#include <memory>
#include <utility>

#include "base/result.h"

namespace resident::testing {

template <typename T, typename Ask>
Result<T> await_answer(Ask&& ask) {
  // Shared, because the caller may be gone before set_value() has returned.
  auto promise = std::make_shared<std::promise<Result<T>>>();
  std::future<Result<T>> answer = promise->get_future();
  ask([promise](Result<T> given) { promise->set_value(std::move(given)); });
  return answer.get();
}

}  // namespace resident::testing
