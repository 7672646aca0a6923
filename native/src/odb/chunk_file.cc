#include "odb/chunk_file.h"

#include <algorithm>
#include <cstring>

namespace resident {
namespace {

constexpr size_t kNameSize = 4;
constexpr size_t kEntrySize = kNameSize + 8;

}  // namespace

Result<ChunkTable> ChunkTable::read(Bytes file, size_t offset, size_t count,
                                    HashAlgorithm algorithm) {
  const size_t table_size = (count + 1) * kEntrySize;
  if (file.size() < hash_size(algorithm) || file.size() - hash_size(algorithm) < offset ||
      file.size() - hash_size(algorithm) - offset < table_size) {
    return corrupt("too small for its table of chunks");
  }
  const uint64_t end = file.size() - hash_size(algorithm);
  constexpr std::string_view kNone("\0\0\0\0", kNameSize);
  ChunkTable table;
  const uint8_t* entry = file.data() + offset;
  for (size_t i = 0; i < count; ++i, entry += kEntrySize) {
    const std::string_view name = as_text(Bytes(entry, kNameSize));
    const uint64_t begins = load_be64(entry + kNameSize);
    const uint64_t ends = load_be64(entry + kEntrySize + kNameSize);
    if (name == kNone) return corrupt("its table of chunks ends early");
    if (begins > ends || ends > end) return corrupt("a chunk lies outside of the file");
    if (table.find(name)) return corrupt("it has a chunk twice");
    table.chunks_.emplace_back(name, file.subspan(begins, ends - begins));
  }
  if (as_text(Bytes(entry, kNameSize)) != kNone) return corrupt("its table of chunks has no end");
  return table;
}

std::optional<Bytes> ChunkTable::find(std::string_view name) const {
  for (const auto& [known, chunk] : chunks_) {
    if (known == name) return chunk;
  }
  return std::nullopt;
}

Result<MappedFile> open_as_git_does(const std::string& path) {
  Result<MappedFile> file = MappedFile::open(path);
  if (file.ok()) return file;
  const ErrorCode code = file.error().code;
  const bool is_closed = code == ErrorCode::kNotFound || code == ErrorCode::kPermission;
  return Error{is_closed ? ErrorCode::kNotFound : ErrorCode::kCorrupt, file.error().message};
}

bool is_ordered_fanout(Bytes fanout) {
  for (size_t at = 4; at + 4 <= fanout.size(); at += 4) {
    if (load_be32(fanout.data() + at) < load_be32(fanout.data() + at - 4)) return false;
  }
  return true;
}

std::optional<std::pair<uint32_t, uint32_t>> fanout_range(Bytes fanout, const ObjectId& id,
                                                          uint32_t count) {
  const size_t byte = id.bytes()[0];
  const uint32_t last = load_be32(fanout.data() + 4 * byte);
  const uint32_t first = byte == 0 ? 0 : load_be32(fanout.data() + 4 * (byte - 1));
  if (last > count) return std::nullopt;
  // git finds nothing if the counts are in the wrong order. An empty range does the same.
  return std::pair(std::min(first, last), last);
}

std::optional<uint32_t> find_id(Bytes ids, std::pair<uint32_t, uint32_t> range,
                                const ObjectId& id) {
  auto [low, high] = range;
  const size_t size = id.size();
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const int order = std::memcmp(ids.data() + middle * size, id.bytes().data(), size);
    if (order == 0) return middle;
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return std::nullopt;
}

}  // namespace resident
