#include "fuzz/fuzz_target.h"

#include <algorithm>
#include <cstdlib>

namespace resident {

FuzzTarget::FuzzTarget(std::string_view name, Run run) {
  all().emplace(name, run);
}

std::map<std::string_view, FuzzTarget::Run>& FuzzTarget::all() {
  static auto* const targets = new std::map<std::string_view, Run>();
  return *targets;
}

void expect(bool condition) {
  if (!condition) std::abort();
}

uint8_t FuzzInput::byte() {
  const std::string_view taken = take(1);
  return taken.empty() ? uint8_t{0} : static_cast<uint8_t>(taken.front());
}

std::string_view FuzzInput::until(char end) {
  const std::string_view taken = rest_.substr(0, rest_.find(end));
  rest_.remove_prefix(std::min(taken.size() + 1, rest_.size()));
  return taken;
}

std::string_view FuzzInput::take(size_t count) {
  const std::string_view taken = rest_.substr(0, count);
  rest_.remove_prefix(taken.size());
  return taken;
}

}  // namespace resident
