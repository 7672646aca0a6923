#include "index/extension_check.h"

#include <algorithm>

namespace resident {
namespace {

// A mode as it is written: octal digits up to a NUL.
std::optional<uint32_t> read_mode_text(ByteReader& reader) {
  const auto digits = reader.read_until(0);
  if (!digits || digits->empty() || digits->size() > 7) return std::nullopt;
  uint32_t mode = 0;
  for (uint8_t digit : *digits) {
    if (digit < '0' || digit > '7') return std::nullopt;
    mode = mode * 8 + (digit - '0');
  }
  return mode;
}

}  // namespace

bool is_plain_resolve_undo(Bytes extension, HashAlgorithm algorithm) {
  ByteReader reader(extension);
  while (reader.remaining() > 0) {
    if (!reader.read_until(0)) return false;
    size_t ids = 0;
    for (int stage = 1; stage <= 3; ++stage) {
      const auto mode = read_mode_text(reader);
      if (!mode) return false;
      if (*mode != 0) ++ids;
    }
    if (ids == 0 || !reader.take(ids * hash_size(algorithm))) return false;
  }
  return true;
}

bool is_plain_entry_offsets(Bytes extension, size_t entry_count, size_t entries_end) {
  ByteReader reader(extension);
  if (reader.be32() != 1u || reader.remaining() == 0) return false;
  uint64_t counted = 0;
  uint32_t last = 0;
  while (reader.remaining() > 0) {
    const auto offset = reader.be32();
    const auto count = reader.be32();
    if (!offset || !count || *offset <= last || *offset >= entries_end) return false;
    last = *offset;
    counted += *count;
  }
  return counted == entry_count;
}

}  // namespace resident
