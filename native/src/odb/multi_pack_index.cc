#include "odb/multi_pack_index.h"

#include "odb/chunk_file.h"

namespace resident {
namespace {

constexpr uint32_t kMultiPackIndexSignature = 0x4d494458;  // "MIDX"
constexpr size_t kMultiPackHeaderSize = 12;
constexpr size_t kOffsetSize = 8;  // the pack's number and the offset
constexpr uint32_t kInLargeOffsets = 0x80000000;

}  // namespace

Result<std::shared_ptr<const MultiPackIndex>> MultiPackIndex::open(const std::string& path,
                                                                   HashAlgorithm algorithm,
                                                                   int newest_version) {
  RESIDENT_TRY(MappedFile file, open_as_git_does(path));
  std::shared_ptr<MultiPackIndex> index(new MultiPackIndex(path, std::move(file), algorithm));
  if (Result<void> read = index->read(newest_version); !read.ok()) {
    return corrupt(path + ": " + read.error().message);
  }
  return std::shared_ptr<const MultiPackIndex>(std::move(index));
}

Result<void> MultiPackIndex::read(int newest_version) {
  const Bytes bytes = file_.bytes();
  if (bytes.size() < kMultiPackHeaderSize + hash_size(algorithm_)) return corrupt("too small");
  if (load_be32(bytes.data()) != kMultiPackIndexSignature) return corrupt("no multi-pack-index");
  const uint8_t hash_version = algorithm_ == HashAlgorithm::kSha1 ? 1 : 2;
  const int version = bytes[4];
  const bool is_known = version == 1 || version == kNewestVersion;
  if (!is_known || version > newest_version || bytes[5] != hash_version) {
    return corrupt("of another version");
  }
  RESIDENT_TRY(const ChunkTable chunks,
               ChunkTable::read(bytes, kMultiPackHeaderSize, bytes[6], algorithm_));
  const auto names = chunks.find("PNAM");
  const auto fanout = chunks.find("OIDF");
  const auto ids = chunks.find("OIDL");
  const auto offsets = chunks.find("OOFF");
  if (!names || !fanout || !ids || !offsets) return corrupt("a chunk is missing");
  if (fanout->size() != kFanoutSize) return corrupt("its fan-out table has another size");
  if (!is_ordered_fanout(*fanout)) return corrupt("its fan-out table is out of order");
  count_ = load_be32(fanout->data() + kFanoutSize - 4);
  if (ids->size() != count_ * hash_size(algorithm_) || offsets->size() != count_ * kOffsetSize) {
    return corrupt("other objects than it counts");
  }
  fanout_ = *fanout;
  ids_ = *ids;
  offsets_ = *offsets;
  large_offsets_ = chunks.find("LOFF").value_or(Bytes());
  // One that does not fit is none.
  if (const auto order = chunks.find("RIDX"); order && order->size() == size_t{count_} * 4) {
    order_ = *order;
  }
  return read_packs(*names, load_be32(bytes.data() + 8), version == 1);
}

// Each with a NUL behind.
Result<void> MultiPackIndex::read_packs(Bytes names, uint32_t count, bool sorted) {
  ByteReader reader(names);
  for (uint32_t i = 0; i < count; ++i) {
    const auto bytes = reader.read_until(0);
    if (!bytes) return corrupt("fewer packs than it counts");
    const std::string_view name = as_text(*bytes);
    if (!name.ends_with(".idx")) return corrupt("the name of a pack is none");
    if (sorted && !packs_.empty() && packs_.back() >= name) {
      return corrupt("packs that are out of order");
    }
    packs_.push_back(name);
  }
  return {};
}

Result<std::optional<uint32_t>> MultiPackIndex::find_number(const ObjectId& id) const {
  const auto range = fanout_range(fanout_, id, count_);
  if (!range) return corrupt("the fan-out table points outside the file");
  return find_id(ids_, *range, id);
}

Result<std::optional<MultiPackIndex::Place>> MultiPackIndex::find(const ObjectId& id) const {
  RESIDENT_TRY(const std::optional<uint32_t> number, find_number(id));
  if (!number) return std::optional<Place>();
  RESIDENT_TRY(const Place place, place_at(*number));
  return std::optional(place);
}

Result<MultiPackIndex::Place> MultiPackIndex::place_at(uint32_t number) const {
  const uint8_t* entry = offsets_.data() + size_t{number} * kOffsetSize;
  const uint32_t pack = load_be32(entry);
  if (pack >= packs_.size()) return corrupt("an object in a pack that it does not name");
  Place place{pack, load_be32(entry + 4)};
  if (!large_offsets_.empty() && (place.offset & kInLargeOffsets)) {
    const uint64_t at = (place.offset & ~kInLargeOffsets) * 8;
    if (at + 8 > large_offsets_.size()) return corrupt("an offset that leads out of it");
    place.offset = load_be64(large_offsets_.data() + at);
  }
  return place;
}

}  // namespace resident
