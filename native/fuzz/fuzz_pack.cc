// A pack and its index, in one of two ways by the first byte: a list of entries that a well-meaning
// writer puts into both, or any bytes as the two files.
#include <string>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "fuzz/scratch_directory.h"
#include "hash/hasher.h"
#include "odb/pack.h"
#include "testing/pack_writer.h"

namespace resident {
namespace {

ObjectId id_of(uint8_t number) {
  return hash_bytes(HashAlgorithm::kSha1, {&number, 1});
}

// Each: kind, a number whose meaning depends on the kind, the content's size, the content.
testing::PackWriter entries_from(FuzzInput& input) {
  testing::PackWriter writer;
  for (uint8_t i = 0; i < 64 && !input.empty(); ++i) {
    const uint8_t kind = input.byte();
    const uint8_t number = input.byte();
    const std::string_view content = input.take(input.byte());
    switch (kind % 8) {
      case 6:
        writer.add_ofs_delta(id_of(i), number, content);
        break;
      case 7:
        writer.add_ref_delta(id_of(i), id_of(number), content);
        break;
      case 0:
        writer.add_to_index(id_of(i), number);
        break;
      default:
        writer.add(kind % 8, id_of(i), content,
                   kind & 0x80 ? std::optional<uint64_t>(number) : std::nullopt);
    }
  }
  return writer;
}

const FuzzTarget pack_target("pack", [](Bytes bytes) {
  static const ScratchDirectory scratch;
  FuzzInput input(bytes);
  if (input.byte() & 1) {
    const testing::PackWriter writer = entries_from(input);
    scratch.write("p.pack", writer.pack_bytes());
    scratch.write("p.idx", writer.index_bytes());
  } else {
    const size_t size = size_t{input.byte()} << 8 | input.byte();
    scratch.write("p.idx", input.take(size));
    scratch.write("p.pack", input.rest());
  }
  auto pack = Pack::open(scratch.path("p"), HashAlgorithm::kSha1);
  if (!pack.ok()) return;
  DeltaBaseCache cache(kMaxInflated);
  const auto nowhere = [](const ObjectId&) -> Result<Object> {
    return Error{ErrorCode::kNotFound, "nowhere"};
  };
  for (uint32_t i = 0; i < (*pack)->index().count() && i < 256; ++i) {
    (void)(*pack)->index().find((*pack)->index().id(i));
    auto object = (*pack)->read(i, cache, kMaxInflated, nowhere);
    auto info = (*pack)->read_info(i, kMaxInflated);
    if (!object.ok()) continue;
    expect(object->content.size() <= kMaxInflated);
    expect(info.ok() && info->type == object->type && info->size == object->content.size());
  }
});

}  // namespace
}  // namespace resident
