#include "odb/pack_index.h"

#include <cstring>
#include <utility>

namespace resident {

namespace {

constexpr uint32_t kPackIndexSignature = 0xff744f63;  // "\377tOc"
constexpr size_t kVersion2Header = 8;
constexpr size_t kFanoutBytes = 256 * 4;
constexpr uint32_t kLargeOffset = 0x80000000;

}  // namespace

PackIndex::PackIndex(std::string path, MappedFile file, HashAlgorithm algorithm)
    : path_(std::move(path)), file_(std::move(file)), hash_size_(hash_size(algorithm)) {
}

Result<PackIndex> PackIndex::open(const std::string& path, HashAlgorithm algorithm) {
  RESIDENT_TRY(MappedFile file, MappedFile::open(path));
  PackIndex index(path, std::move(file), algorithm);
  RESIDENT_CHECK(index.check());
  return index;
}

Result<void> PackIndex::check() {
  auto corrupt = [&](const char* reason) {
    return Error{ErrorCode::kCorrupt, path_ + ": " + reason};
  };
  const Bytes bytes = file_.bytes();
  const uint64_t size = bytes.size();
  if (size < kFanoutBytes + 2 * hash_size_) return corrupt("too small for a pack index");
  if (load_be32(bytes.data()) == kPackIndexSignature) {
    const uint32_t version = load_be32(bytes.data() + 4);
    if (version != 2) {
      return Error{ErrorCode::kUnsupported,
                   path_ + ": pack index version " + std::to_string(version)};
    }
    version_ = 2;
    if (size < kVersion2Header + kFanoutBytes + 2 * hash_size_) {
      return corrupt("too small for a pack index");
    }
  }

  for (size_t byte = 0; byte < 256; ++byte) {
    if (fanout(byte) < count_) return corrupt("fan-out table is not monotonic");
    count_ = fanout(byte);
  }

  const uint64_t count = count_;
  if (version_ == 1) {
    if (size != kFanoutBytes + count * (4 + hash_size_) + 2 * hash_size_) {
      return corrupt("size does not match its number of objects");
    }
    return {};
  }
  const uint64_t least =
      kVersion2Header + kFanoutBytes + count * (hash_size_ + 4 + 4) + 2 * hash_size_;
  // The first object of a pack is at offset 12. At least one object needs no 8-byte offset.
  const uint64_t limit = least + (count ? (count - 1) * 8 : 0);
  if (size < least || size > limit) return corrupt("size does not match its number of objects");
  return {};
}

uint32_t PackIndex::fanout(size_t byte) const {
  return load_be32(file_.bytes().data() + (version_ == 2 ? kVersion2Header : 0) + 4 * byte);
}

const uint8_t* PackIndex::id_bytes(uint32_t number) const {
  const uint8_t* data = file_.bytes().data();
  if (version_ == 1) return data + kFanoutBytes + number * (4 + hash_size_) + 4;
  return data + kVersion2Header + kFanoutBytes + number * hash_size_;
}

// Searches exactly like git. Both miss the same ids if the ids are out of order.
uint32_t PackIndex::lower_bound(const ObjectId& id) const {
  const uint8_t first = id.bytes()[0];
  const uint64_t prefix = load_be64(id.bytes().data());
  uint32_t low = first == 0 ? 0 : fanout(first - 1u);
  uint32_t high = fanout(first);
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    // Prefetch both candidates for the next step while this one is loaded.
    __builtin_prefetch(id_bytes(low + (middle - low) / 2));
    __builtin_prefetch(id_bytes(middle + (high - middle) / 2));
    const uint64_t here = load_be64(id_bytes(middle));
    if (here < prefix ||
        (here == prefix && std::memcmp(id_bytes(middle), id.bytes().data(), hash_size_) < 0)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

std::optional<uint32_t> PackIndex::find(const ObjectId& id) const {
  if (id.size() != hash_size_) return std::nullopt;
  const uint32_t at = lower_bound(id);
  const bool found = at < count_ && std::memcmp(id_bytes(at), id.bytes().data(), hash_size_) == 0;
  return found ? std::optional(at) : std::nullopt;
}

ObjectId PackIndex::id(uint32_t number) const {
  return ObjectId::from_bytes({id_bytes(number), hash_size_});
}

Result<uint64_t> PackIndex::offset(uint32_t number) const {
  if (version_ == 1) return uint64_t{load_be32(id_bytes(number) - 4)};
  const Bytes bytes = file_.bytes();
  const uint64_t count = count_;
  const uint64_t table = kVersion2Header + kFanoutBytes + count * (hash_size_ + 4);
  const uint32_t small = load_be32(bytes.data() + table + uint64_t{4} * number);
  if (!(small & kLargeOffset)) return uint64_t{small};
  const uint64_t at = table + 4 * count + uint64_t{8} * (small & ~kLargeOffset);
  if (at + 8 > bytes.size() - 2 * hash_size_) {
    return Error{ErrorCode::kCorrupt,
                 path_ + ": 8-byte offset of " + id(number).hex() + " lies outside the file"};
  }
  return load_be64(bytes.data() + at);
}

std::optional<uint32_t> PackIndex::find_offset(uint64_t offset_in_pack) const {
  for (uint32_t number = 0; number < count_; ++number) {
    auto candidate = offset(number);
    if (candidate.ok() && *candidate == offset_in_pack) return number;
  }
  return std::nullopt;
}

Bytes PackIndex::pack_checksum() const {
  return file_.bytes().last(2 * hash_size_).first(hash_size_);
}

}  // namespace resident
