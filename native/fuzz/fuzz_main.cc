// Entry point for libFuzzer, which supplies main(). Exactly one target is linked.
#include <cstddef>
#include <cstdint>

#include "fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const auto run = resident::FuzzTarget::all().begin()->second;
  run({data, size});
  return 0;
}
