#include "index/fsmonitor_marks.h"

#include <utility>

#include "index/entry_bitmap.h"

namespace resident {

std::optional<FsmonitorMarks> read_fsmonitor_marks(Bytes extension, uint32_t entry_count) {
  ByteReader reader(extension);
  const auto version = reader.be32();
  std::optional<Bytes> token;
  if (version == 1u) {
    if (reader.be64()) token.emplace();
  } else if (version == 2u) {
    token = reader.read_until(0);
  }
  const auto size = token ? reader.be32() : std::nullopt;
  if (!size || *size != reader.remaining()) return std::nullopt;
  const auto bit_count = ByteReader(reader.rest()).be32();
  if (!bit_count || *bit_count > entry_count) return std::nullopt;
  auto dirty = read_entry_positions(reader, entry_count, FsmonitorMarks::kMaxDirty);
  if (!dirty || reader.remaining() > 0) return std::nullopt;
  FsmonitorMarks marks;
  const bool keeps = !token->empty() && token->size() <= FsmonitorMarks::kLongestToken &&
                     dirty->size() <= FsmonitorMarks::kMaxDirty;
  if (keeps) marks = {std::string(as_text(*token)), *std::move(dirty)};
  return marks;
}

}  // namespace resident
