#include "refs/reftable_block.h"

#include <algorithm>
#include <utility>

#include "zlib/inflate.h"

namespace resident {

namespace {

constexpr size_t kBlockHeader = 4;  // the type and 24 bits of length
constexpr size_t kRestartSize = 3;
constexpr size_t kCountSize = 2;
constexpr uint64_t kLargestBlock = (1 << 24) - 1;
// Of a log's key: a NUL and the inverted number of the update.
constexpr size_t kLogSuffix = 9;

uint32_t load_be24(const uint8_t* p) {
  return uint32_t{p[0]} << 16 | uint32_t{p[1]} << 8 | uint32_t{p[2]};
}

// As git writes the distances in packs.
std::optional<uint64_t> varint(ByteReader& reader) {
  std::optional<uint8_t> byte = reader.u8();
  if (!byte) return std::nullopt;
  uint64_t value = *byte & 0x7f;
  while (*byte & 0x80) {
    if (value >= (uint64_t{1} << 57) - 1) return std::nullopt;
    byte = reader.u8();
    if (!byte) return std::nullopt;
    value = (value + 1) << 7 | (*byte & 0x7f);
  }
  return value;
}

std::optional<std::string_view> counted_string(ByteReader& reader) {
  const std::optional<uint64_t> size = varint(reader);
  if (!size || *size > reader.remaining()) return std::nullopt;
  return as_text(*reader.take(static_cast<size_t>(*size)));
}

std::optional<ObjectId> parse_id(ByteReader& reader, HashAlgorithm algorithm) {
  const std::optional<Bytes> bytes = reader.take(hash_size(algorithm));
  if (!bytes) return std::nullopt;
  return ObjectId::from_bytes(*bytes);
}

struct Prefixes {
  size_t shared = 0;
  std::string_view suffix;
  uint8_t type = 0;
};

std::optional<Prefixes> read_key(ByteReader& reader) {
  const std::optional<uint64_t> shared = varint(reader);
  if (!shared) return std::nullopt;
  const std::optional<uint64_t> rest = varint(reader);
  if (!rest || *rest >> 3 > reader.remaining()) return std::nullopt;
  Prefixes key;
  key.shared = static_cast<size_t>(std::min<uint64_t>(*shared, SIZE_MAX));
  key.type = *rest & 7;
  key.suffix = as_text(*reader.take(static_cast<size_t>(*rest >> 3)));
  return key;
}

bool read_ref(ByteReader& reader, uint8_t type, HashAlgorithm algorithm, ReftableRecord& record) {
  record.ref = {};
  record.is_deletion = type == 0;
  if (!varint(reader)) return false;  // when it was updated
  if (type == 0) return true;
  if (type == 3) {
    const std::optional<std::string_view> target = counted_string(reader);
    if (!target || target->empty()) return false;
    record.ref.target = *target;
    return true;
  }
  if (type > 3) return false;
  record.ref.id = parse_id(reader, algorithm);
  // Of a tag, what it leads to.
  if (!record.ref.id || type == 1) return record.ref.id.has_value();
  record.ref.peeled = parse_id(reader, algorithm);
  return record.ref.peeled.has_value();
}

bool read_log(ByteReader& reader, uint8_t type, HashAlgorithm algorithm, ReftableRecord& record) {
  const std::string& key = record.key;
  if (key.size() <= kLogSuffix || key[key.size() - kLogSuffix] != '\0') return false;
  record.is_deletion = type == 0;
  if (type == 0) return true;
  if (type != 1) return false;
  const std::optional<ObjectId> old_id = parse_id(reader, algorithm);
  const std::optional<ObjectId> new_id = parse_id(reader, algorithm);
  if (!old_id || !new_id || !counted_string(reader) || !counted_string(reader)) return false;
  if (!varint(reader) || !reader.be16()) return false;
  std::optional<std::string_view> message = counted_string(reader);
  if (!message) return false;
  record.log = {*old_id, *new_id, message->substr(0, message->find('\n'))};
  return true;
}

}  // namespace

Error ReftableBlock::corrupt_at(size_t at, std::string_view reason) const {
  return corrupt("block at " + std::to_string(offset_) + ", byte " + std::to_string(at) + ": " +
                 std::string(reason));
}

Result<std::optional<ReftableBlock>> ReftableBlock::open(Bytes table, uint64_t offset,
                                                         const Layout& layout) {
  if (offset >= table.size()) return std::optional<ReftableBlock>();
  const Bytes rest = table.subspan(static_cast<size_t>(offset));
  ReftableBlock block;
  block.offset_ = offset;
  block.algorithm_ = layout.algorithm;
  const size_t header = offset == 0 ? layout.file_header : 0;
  block.begin_ = header + kBlockHeader;
  if (rest.size() < block.begin_) return block.corrupt_at(header, "truncated");
  block.section_ = static_cast<ReftableSection>(rest[header]);
  const size_t size = load_be24(rest.data() + header + 1);
  if (size < block.begin_ + kCountSize) return block.corrupt_at(header, "too short");
  switch (block.section_) {
    case ReftableSection::kLogs: {
      size_t used = 0;
      auto inflated =
          inflate_exactly(rest.subspan(block.begin_), size - block.begin_, kLargestBlock, &used);
      if (!inflated.ok()) return block.corrupt_at(block.begin_, inflated.error().message);
      // Offsets count what is before the deflated part.
      block.inflated_ =
          std::make_shared<const std::string>(std::string(block.begin_, '\0') + *inflated);
      block.bytes_ = as_bytes(*block.inflated_);
      block.next_offset_ = offset + block.begin_ + used;
      break;
    }
    case ReftableSection::kRefs:
    case ReftableSection::kObjects:
    case ReftableSection::kIndex: {
      if (size > rest.size()) return block.corrupt_at(header, "longer than the table");
      block.bytes_ = rest.first(size);
      // Blocks are padded with NULs, or follow each other directly.
      const bool is_padded = size < layout.block_size && (size == rest.size() || rest[size] == 0);
      block.next_offset_ = offset + (is_padded ? layout.block_size : size);
      break;
    }
    default:
      return block.corrupt_at(header, "unknown type");
  }
  block.restarts_ = load_be16(block.bytes_.data() + size - kCountSize);
  const size_t tail = kCountSize + kRestartSize * block.restarts_;
  if (size - block.begin_ < tail) return block.corrupt_at(size, "too many restarts");
  block.end_ = size - tail;
  return std::optional(std::move(block));
}

Result<std::optional<size_t>> ReftableBlock::read(size_t at, ReftableRecord& record) const {
  if (at >= end_) return std::optional<size_t>();
  ByteReader reader(bytes_.subspan(at, end_ - at));
  const std::optional<Prefixes> key = read_key(reader);
  if (!key || key->shared > record.key.size()) return corrupt_at(at, "malformed key");
  record.key.resize(key->shared);
  record.key += key->suffix;
  if (record.key.empty()) return corrupt_at(at, "empty key");
  bool is_whole = false;
  switch (section_) {
    case ReftableSection::kRefs:
      is_whole = read_ref(reader, key->type, algorithm_, record);
      break;
    case ReftableSection::kLogs:
      is_whole = read_log(reader, key->type, algorithm_, record);
      break;
    case ReftableSection::kIndex: {
      const std::optional<uint64_t> block = varint(reader);
      is_whole = block.has_value();
      record.block = block.value_or(0);
      break;
    }
    case ReftableSection::kObjects:
      break;
  }
  if (!is_whole) return corrupt_at(at, "malformed record");
  return std::optional(at + reader.position());
}

size_t ReftableBlock::restart_offset(size_t restart) const {
  return load_be24(bytes_.data() + end_ + kRestartSize * restart);
}

Result<std::string_view> ReftableBlock::restart_key(size_t restart) const {
  const size_t at = restart_offset(restart);
  if (at < begin_ || at >= end_) return corrupt_at(at, "a restart is outside the records");
  ByteReader reader(bytes_.subspan(at, end_ - at));
  const std::optional<Prefixes> key = read_key(reader);
  if (!key || key->shared > 0) return corrupt_at(at, "a restart does not have a whole key");
  return key->suffix;
}

Result<size_t> ReftableBlock::restart_before(std::string_view key) const {
  // Those before `low` are not behind `key`, those from `high` on are.
  size_t low = 0, high = restarts_;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    RESIDENT_TRY(const std::string_view at_restart, restart_key(middle));
    if (key < at_restart) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low == 0 ? begin_ : restart_offset(low - 1);
}

}  // namespace resident
