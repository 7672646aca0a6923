// "<flags> <bytes>": a loose object's file, or (flags odd) its inflated content.
#include <string>

#include "fs/linux/posix_file_system.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/scratch_directory.h"
#include "odb/loose.h"
#include "testing/pack_writer.h"
#include "zlib/inflate.h"

namespace resident {
namespace {

const FuzzTarget loose_target("loose", [](Bytes bytes) {
  static const ScratchDirectory scratch;
  FuzzInput input(bytes);
  const bool compress = input.byte() & 1;
  const std::string file =
      compress ? testing::zlib_compress(input.rest()) : std::string(input.rest());
  auto object = read_loose_object(posix_file_system(), scratch.write("object", file), kMaxInflated);
  if (object.ok()) expect(object->content.size() <= kMaxInflated);
  if (object.ok() && compress) expect(input.rest().ends_with(object->content));
  auto exact = inflate_exactly(as_bytes(file), input.rest().size(), kMaxInflated);
  if (compress && input.rest().size() <= kMaxInflated) expect(exact.ok() && *exact == input.rest());
});

}  // namespace
}  // namespace resident
