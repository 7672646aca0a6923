#include "odb/pack.h"

#include <atomic>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "odb/delta.h"
#include "zlib/inflate.h"

namespace resident {

namespace {

constexpr uint32_t kPackSignature = 0x5041434b;  // "PACK"
constexpr size_t kHeaderBytes = 12;
constexpr int kOfsDelta = 6;
constexpr int kRefDelta = 7;

std::atomic<uint64_t> next_cache_id{1};

// Reads the inflated size: four bits of `first`, then seven of each further byte. Low bits come
// first.
std::optional<uint64_t> read_entry_size(uint8_t first, ByteReader& reader) {
  uint64_t size = first & 15;
  uint8_t byte = first;
  for (unsigned shift = 4; byte & 0x80; shift += 7) {
    auto next = reader.u8();
    if (!next || shift > 63) return std::nullopt;
    byte = *next;
    const uint64_t bits = byte & 0x7f;
    if (bits >> (64 - shift) != 0) return std::nullopt;
    size |= bits << shift;
  }
  return size;
}

// Reads the distance from an OFS_DELTA back to its base. Each byte has seven bits, high bits first.
// Each continuation adds one.
std::optional<uint64_t> read_base_distance(ByteReader& reader) {
  auto byte = reader.u8();
  if (!byte) return std::nullopt;
  uint64_t distance = *byte & 0x7f;
  while (*byte & 0x80) {
    byte = reader.u8();
    if (!byte || distance >= UINT64_MAX >> 8) return std::nullopt;
    distance = (distance + 1) << 7 | (*byte & 0x7f);
  }
  return distance;
}

}  // namespace

struct Pack::Entry {
  uint64_t offset = 0;
  bool is_delta = false;
  ObjectType type = ObjectType::kBlob;  // invalid if is_delta
  uint64_t size = 0;                    // inflated size of the stream
  uint64_t stream = 0;                  // offset of the zlib stream
  uint64_t base = 0;                    // offset of the base's entry, if is_delta
};

// Detects a cycle in a chain of delta bases, in constant memory. Only REF_DELTA can make a cycle.
// It keeps an earlier offset and replaces it each time the chain's length doubles (Brent's
// algorithm).
class Pack::ChainGuard {
 public:
  // False once `offset` closes a cycle.
  bool step(uint64_t offset) {
    if (length_ > 0 && offset == kept_) return false;
    if (++length_ == next_keep_) {
      kept_ = offset;
      next_keep_ *= 2;
    }
    return true;
  }

 private:
  uint64_t length_ = 0;
  uint64_t next_keep_ = 1;
  uint64_t kept_ = 0;
};

Pack::Pack(std::string path, PackIndex index, HashAlgorithm algorithm)
    : path_(std::move(path)),
      index_(std::move(index)),
      hash_size_(hash_size(algorithm)),
      cache_id_(next_cache_id.fetch_add(1)) {
}

Result<std::shared_ptr<Pack>> Pack::open(const std::string& base_path, HashAlgorithm algorithm) {
  RESIDENT_TRY(PackIndex index, PackIndex::open(base_path + ".idx", algorithm));
  return std::shared_ptr<Pack>(new Pack(base_path + ".pack", std::move(index), algorithm));
}

bool Pack::is_current(FileSystem& fs) {
  const auto is_same = [&fs](const std::string& path, const FileStat& known) {
    const Result<FileStat> now = fs.stat(path);
    return now.ok() && *now == known;
  };
  MutexLock lock(mutex_);
  const bool is_mapped = !file_.bytes().empty();
  return index_.is_whole() && file_.is_whole() && is_same(index_.path(), index_.stat()) &&
         (!is_mapped || is_same(path_, file_.stat()));
}

Result<void> Pack::check(const MappedFile& file) const {
  auto corrupt = [&](const std::string& reason) {
    return Error{ErrorCode::kCorrupt, path_ + ": " + reason};
  };
  const Bytes bytes = file.bytes();
  if (bytes.size() < kHeaderBytes + hash_size_) return corrupt("too short for a pack");
  if (load_be32(bytes.data()) != kPackSignature)
    return corrupt("not a pack: its signature is wrong");
  const uint32_t version = load_be32(bytes.data() + 4);
  if (version != 2 && version != 3) {
    return Error{ErrorCode::kUnsupported, path_ + ": pack version " + std::to_string(version)};
  }
  const uint32_t count = load_be32(bytes.data() + 8);
  if (count != index_.count()) {
    return corrupt("the pack has " + std::to_string(count) + " objects, and the pack index has " +
                   std::to_string(index_.count()));
  }
  if (as_text(bytes.last(hash_size_)) != as_text(index_.pack_checksum())) {
    return corrupt("does not match its index");
  }
  return {};
}

Result<Bytes> Pack::data() {
  MutexLock lock(mutex_);
  if (file_.bytes().empty()) {
    RESIDENT_TRY(MappedFile file, MappedFile::open(path_));
    RESIDENT_CHECK(check(file));
    file_ = std::move(file);
  }
  const Bytes bytes = file_.bytes();
  return bytes.first(bytes.size() - hash_size_);
}

Error Pack::error_at(uint64_t offset, ErrorCode code, const std::string& reason) const {
  return Error{code, path_ + ": object at offset " + std::to_string(offset) + ": " + reason};
}

Result<Pack::Entry> Pack::entry_at(Bytes data, uint64_t offset) {
  auto corrupt = [&](const std::string& reason) {
    return error_at(offset, ErrorCode::kCorrupt, reason);
  };
  if (offset < kHeaderBytes || offset >= data.size()) {
    return corrupt("the pack index points outside its pack");
  }
  ByteReader reader(data.subspan(offset));
  Entry entry;
  entry.offset = offset;
  const uint8_t first = *reader.u8();
  const int type = first >> 4 & 7;
  auto size = read_entry_size(first, reader);
  if (!size) return corrupt("malformed size");
  entry.size = *size;
  if (type >= 1 && type <= 4) {
    entry.type = static_cast<ObjectType>(type);
  } else if (type == kOfsDelta) {
    entry.is_delta = true;
    auto distance = read_base_distance(reader);
    if (!distance || *distance == 0 || *distance > offset - kHeaderBytes) {
      return corrupt("delta base lies outside the pack");
    }
    entry.base = offset - *distance;
  } else if (type == kRefDelta) {
    entry.is_delta = true;
    auto id = reader.take(hash_size_);
    if (!id) return corrupt("entry is cut off");
    const ObjectId base = ObjectId::from_bytes(*id);
    auto number = index_.find(base);
    if (!number) return corrupt("delta base " + base.hex() + " is not in this pack");
    RESIDENT_TRY(entry.base, index_.offset(*number));
  } else {
    return corrupt("unknown object type " + std::to_string(type));
  }
  entry.stream = offset + reader.position();
  return entry;
}

Result<std::string> Pack::inflate(Bytes data, const Entry& entry, uint64_t limit) const {
  auto content = inflate_exactly(data.subspan(entry.stream), entry.size, limit);
  if (!content.ok()) return error_at(entry.offset, content.error().code, content.error().message);
  return content;
}

Result<std::shared_ptr<const Object>> Pack::base_from(const Elsewhere& elsewhere, uint64_t offset,
                                                      Error error) const {
  auto number = index_.find_offset(offset);
  if (!number || error.code == ErrorCode::kUnsupported) return error;
  auto object = elsewhere(index_.id(*number));
  if (!object.ok()) return error;
  return std::make_shared<const Object>(std::move(*object));
}

Result<Object> Pack::read(uint32_t number, DeltaBaseCache& cache, uint64_t limit,
                          const Elsewhere& elsewhere) {
  RESIDENT_TRY(const Bytes bytes, data());
  RESIDENT_TRY(uint64_t offset, index_.offset(number));

  // Go down to the first object that is cached or not a delta.
  std::vector<Entry> deltas;
  ChainGuard guard;
  std::shared_ptr<const Object> object;
  while (!(object = cache.find({cache_id_, offset}))) {
    if (!guard.step(offset)) return error_at(offset, ErrorCode::kCorrupt, "cycle of deltas");
    auto entry = entry_at(bytes, offset);
    if (entry.ok() && entry->is_delta) {
      deltas.push_back(*entry);
      offset = entry->base;
      continue;
    }
    auto content = entry.ok() ? inflate(bytes, *entry, limit) : Result<std::string>(entry.error());
    if (content.ok()) {
      if (deltas.empty()) return Object{entry->type, std::move(*content)};
      object = std::make_shared<const Object>(Object{entry->type, std::move(*content)});
    } else {
      if (deltas.empty()) return content.error();
      RESIDENT_TRY(object, base_from(elsewhere, offset, content.error()));
    }
    break;
  }

  // Go up again and apply each delta. The next reader may need the same bases, so cache them.
  for (; !deltas.empty(); deltas.pop_back()) {
    cache.insert({cache_id_, offset}, object);
    const Entry& entry = deltas.back();
    offset = entry.offset;
    auto content = inflate(bytes, entry, limit);
    if (content.ok()) content = apply_delta(object->content, *content, limit);
    if (content.ok()) {
      object = std::make_shared<const Object>(Object{object->type, std::move(*content)});
      continue;
    }
    Error error = error_at(offset, content.error().code, content.error().message);
    if (deltas.size() == 1) return error;
    RESIDENT_TRY(object, base_from(elsewhere, offset, std::move(error)));
  }
  return *object;
}

Result<ObjectInfo> Pack::read_info(uint32_t number, uint64_t limit) {
  RESIDENT_TRY(const Bytes bytes, data());
  RESIDENT_TRY(uint64_t offset, index_.offset(number));
  RESIDENT_TRY(Entry entry, entry_at(bytes, offset));
  ObjectInfo info;
  info.size = entry.size;
  if (entry.is_delta) {
    RESIDENT_TRY(const std::string delta, inflate(bytes, entry, limit));
    auto size = delta_target_size(delta);
    if (!size.ok()) return error_at(offset, size.error().code, size.error().message);
    info.size = *size;
  }
  ChainGuard guard;
  while (entry.is_delta) {
    if (!guard.step(entry.offset)) {
      return error_at(entry.offset, ErrorCode::kCorrupt, "cycle of deltas");
    }
    RESIDENT_TRY(entry, entry_at(bytes, entry.base));
  }
  info.type = entry.type;
  return info;
}

}  // namespace resident
