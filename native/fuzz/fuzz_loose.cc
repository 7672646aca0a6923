// "<flags> <bytes>" as a loose object's file, or (flags odd) as what it inflates to.
#include <string>

#include "fuzz/fuzz_target.h"
#include "fuzz/scratch_directory.h"
#include "odb/loose.h"
#include "testing/pack_writer.h"
#include "zlib/inflate.h"

namespace resident {
namespace {

constexpr uint64_t kLimit = 1 << 20;

const FuzzTarget target("loose", [](Bytes bytes) {
  static const ScratchDirectory scratch;
  FuzzInput input(bytes);
  const bool compress = input.byte() & 1;
  const std::string file =
      compress ? testing::zlib_compress(input.rest()) : std::string(input.rest());
  auto object = read_loose_object(scratch.write("object", file), kLimit);
  if (object.ok()) expect(object->content.size() <= kLimit);
  if (object.ok() && compress) expect(input.rest().ends_with(object->content));
  auto exact = inflate_exactly(as_bytes(file), input.rest().size(), kLimit);
  if (compress && input.rest().size() <= kLimit) expect(exact.ok() && *exact == input.rest());
});

}  // namespace
}  // namespace resident
