// "<size of the base, 2 bytes> <base> <delta>".
#include "fuzz/fuzz_target.h"
#include "odb/delta.h"

namespace resident {
namespace {

const FuzzTarget delta_target("delta", [](Bytes bytes) {
  FuzzInput input(bytes);
  const size_t size = size_t{input.byte()} << 8 | input.byte();
  const std::string_view base = input.take(size);
  auto result = apply_delta(base, input.rest(), kMaxInflated);
  auto claimed = delta_target_size(input.rest());
  if (!result.ok()) return;
  expect(claimed.ok() && *claimed == result->size() && result->size() <= kMaxInflated);
});

}  // namespace
}  // namespace resident
