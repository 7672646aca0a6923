#include "odb/delta.h"

#include <optional>

#include "base/bytes.h"

namespace resident {

namespace {

std::optional<uint64_t> read_size(ByteReader& reader) {
  uint64_t size = 0;
  for (unsigned shift = 0;; shift += 7) {
    auto byte = reader.u8();
    if (!byte || shift > 63) return std::nullopt;
    const uint64_t bits = *byte & 0x7f;
    if (shift > 0 && bits >> (64 - shift) != 0) return std::nullopt;
    size |= bits << shift;
    if (!(*byte & 0x80)) return size;
  }
}

struct Sizes {
  uint64_t base;
  uint64_t target;
};

Result<Sizes> read_sizes(ByteReader& reader) {
  auto base = read_size(reader);
  auto target = base ? read_size(reader) : std::nullopt;
  if (!target) return corrupt("malformed delta header");
  return Sizes{*base, *target};
}

// Calls `emit` with each piece of the target, in order. Pieces lie within the base or the delta.
// The total size is not checked here.
template <typename Emit>
Result<void> for_each_piece(std::string_view base, ByteReader reader, Emit emit) {
  while (reader.remaining() > 0) {
    const uint8_t instruction = *reader.u8();
    if (instruction & 0x80) {
      uint64_t fields[7] = {};  // four bytes of offset, three of size
      for (int i = 0; i < 7; ++i) {
        if (!(instruction & 1 << i)) continue;
        auto byte = reader.u8();
        if (!byte) return corrupt("delta ends inside a copy instruction");
        fields[i] = *byte;
      }
      const uint64_t offset = fields[0] | fields[1] << 8 | fields[2] << 16 | fields[3] << 24;
      uint64_t size = fields[4] | fields[5] << 8 | fields[6] << 16;
      if (size == 0) size = 0x10000;
      if (offset > base.size() || size > base.size() - offset) {
        return corrupt("delta copies from outside its base");
      }
      RESIDENT_CHECK(emit(base.substr(offset, size)));
    } else if (instruction != 0) {
      auto bytes = reader.take(instruction);
      if (!bytes) return corrupt("delta ends inside an insert instruction");
      RESIDENT_CHECK(emit(as_text(*bytes)));
    } else {
      return corrupt("delta holds the reserved instruction 0");
    }
  }
  return {};
}

}  // namespace

Result<uint64_t> delta_target_size(std::string_view delta) {
  ByteReader reader(as_bytes(delta));
  RESIDENT_TRY(Sizes sizes, read_sizes(reader));
  return sizes.target;
}

Result<std::string> apply_delta(std::string_view base, std::string_view delta, uint64_t limit) {
  ByteReader reader(as_bytes(delta));
  RESIDENT_TRY(Sizes sizes, read_sizes(reader));
  if (sizes.base != base.size()) return corrupt("delta is for a base of another size");

  uint64_t total = 0;
  RESIDENT_CHECK(for_each_piece(base, reader, [&](std::string_view piece) -> Result<void> {
    total += piece.size();
    if (total > sizes.target) return corrupt("delta writes past the end of its target");
    return {};
  }));
  if (total != sizes.target) return corrupt("delta writes less than its target");
  if (total > limit) {
    return Error{ErrorCode::kUnsupported,
                 "larger than the limit of " + std::to_string(limit) + " bytes"};
  }

  std::string target;
  target.reserve(static_cast<size_t>(total));
  RESIDENT_CHECK(for_each_piece(base, reader, [&](std::string_view piece) -> Result<void> {
    target.append(piece);
    return {};
  }));
  return target;
}

}  // namespace resident
