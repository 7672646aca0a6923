// "<size of the base, 2 bytes> <base> <delta>".
#include "fuzz/fuzz_target.h"
#include "odb/delta.h"

namespace resident {
namespace {

constexpr uint64_t kLimit = 1 << 20;

const FuzzTarget target("delta", [](Bytes bytes) {
  FuzzInput input(bytes);
  const size_t size = size_t{input.byte()} << 8 | input.byte();
  const std::string_view base = input.take(size);
  auto result = apply_delta(base, input.rest(), kLimit);
  auto claimed = delta_target_size(input.rest());
  if (!result.ok()) return;
  expect(claimed.ok() && *claimed == result->size() && result->size() <= kLimit);
});

}  // namespace
}  // namespace resident
