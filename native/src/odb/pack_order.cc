#include "odb/pack_order.h"

#include <algorithm>
#include <utility>

namespace resident {
namespace {

constexpr uint32_t kReverseIndexSignature = 0x52494458;  // "RIDX"
constexpr size_t kReverseIndexHeader = 12;
constexpr size_t kNumberSize = 4;

}  // namespace

Result<Bytes> read_reverse_index(Bytes file, uint32_t count, Bytes checksum,
                                 HashAlgorithm algorithm) {
  const size_t table = size_t{count} * kNumberSize;
  if (file.size() != kReverseIndexHeader + table + 2 * hash_size(algorithm)) {
    return corrupt("size does not match its number of objects");
  }
  if (load_be32(file.data()) != kReverseIndexSignature) return corrupt("no reverse index");
  const uint32_t hash_version = algorithm == HashAlgorithm::kSha1 ? 1 : 2;
  if (load_be32(file.data() + 4) != 1 || load_be32(file.data() + 8) != hash_version) {
    return corrupt("of another version");
  }
  const Bytes of_pack = file.last(2 * hash_size(algorithm)).first(hash_size(algorithm));
  if (!std::equal(of_pack.begin(), of_pack.end(), checksum.begin(), checksum.end())) {
    return corrupt("it belongs to another pack");
  }
  return file.subspan(kReverseIndexHeader, table);
}

PackOrder::PackOrder(std::shared_ptr<const Pack> pack, std::shared_ptr<const MultiPackIndex> index)
    : pack_(std::move(pack)),
      index_(std::move(index)),
      count_(pack_ ? pack_->index().count() : index_->count()) {
}

Result<PackOrder> PackOrder::of(std::shared_ptr<const Pack> pack, const std::string& path,
                                HashAlgorithm algorithm) {
  PackOrder order(std::move(pack), nullptr);
  RESIDENT_CHECK(order.load(path, algorithm));
  return order;
}

Result<PackOrder> PackOrder::of(std::shared_ptr<const MultiPackIndex> index,
                                const std::string& path, HashAlgorithm algorithm,
                                uint32_t objects_below) {
  PackOrder order(nullptr, std::move(index));
  order.objects_below_ = objects_below;
  RESIDENT_CHECK(order.load(path, algorithm));
  return order;
}

Result<void> PackOrder::load(const std::string& path, HashAlgorithm algorithm) {
  if (count_ == 0) return {};
  if (index_) stored_ = index_->order();
  if (stored_.empty()) {
    if (Result<MappedFile> file = MappedFile::open(path); file.ok()) {
      const Bytes checksum = pack_ ? pack_->index().pack_checksum() : index_->checksum();
      const auto table = read_reverse_index(file->bytes(), count_, checksum, algorithm);
      // Of a damaged one git complains only where it needs it.
      if (table.ok()) {
        stored_ = *table;
        file_ = std::move(file).value();
      }
    }
  }
  if (!stored_.empty()) return find_preferred();
  return sort();
}

// The objects of that pack are there whole, the first of them at the beginning.
Result<void> PackOrder::find_preferred() {
  if (!index_) return {};
  RESIDENT_TRY(const uint32_t first, number_at(0));
  RESIDENT_TRY(const MultiPackIndex::Place place, index_->place_at(first));
  preferred_ = place.pack;
  return {};
}

Result<void> PackOrder::sort() {
  if (index_) {
    return Error{ErrorCode::kUnsupported, "which pack comes first is not stored"};
  }
  if (count_ > kMaxSorted) return Error{ErrorCode::kUnsupported, "too many objects to sort"};
  std::vector<std::pair<uint64_t, uint32_t>> offsets;
  offsets.reserve(count_);
  for (uint32_t number = 0; number < count_; ++number) {
    RESIDENT_TRY(const uint64_t offset, pack_->index().offset(number));
    offsets.emplace_back(offset, number);
  }
  std::sort(offsets.begin(), offsets.end());
  sorted_.reserve(count_);
  for (const auto& [offset, number] : offsets) sorted_.push_back(number);
  return {};
}

Result<std::optional<uint32_t>> PackOrder::find(const ObjectId& id) const {
  if (index_) return index_->find_number(id);
  return pack_->index().find(id);
}

Result<PackOrder::Key> PackOrder::key_of(uint32_t number) const {
  if (!index_) {
    RESIDENT_TRY(const uint64_t offset, pack_->index().offset(number));
    return Key{0, offset};
  }
  RESIDENT_TRY(const MultiPackIndex::Place place, index_->place_at(number));
  return Key{place.pack == preferred_ ? 0 : place.pack + 1, place.offset};
}

Result<uint32_t> PackOrder::number_at(uint32_t position) const {
  if (!sorted_.empty()) return sorted_[position];
  const uint32_t stored = load_be32(stored_.data() + size_t{position} * kNumberSize);
  const uint32_t number = stored - objects_below_;
  if (stored < objects_below_ || number >= count_) {
    return corrupt("a reverse index leads out of the index");
  }
  return number;
}

Result<uint32_t> PackOrder::position_of(uint32_t number) const {
  RESIDENT_TRY(const Key wanted, key_of(number));
  const auto key_at = [&](uint32_t position) -> Result<Key> {
    RESIDENT_TRY(const uint32_t there, number_at(position));
    return key_of(there);
  };
  uint32_t low = 0, high = count_;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    RESIDENT_TRY(const Key key, key_at(middle));
    if (key < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const Error misplaced = corrupt("a reverse index is out of order");
  if (low == count_) return misplaced;
  RESIDENT_TRY(const uint32_t found, number_at(low));
  if (found != number) return misplaced;
  if (low > 0) {
    RESIDENT_TRY(const Key before, key_at(low - 1));
    if (!(before < wanted)) return misplaced;
  }
  if (low + 1 < count_) {
    RESIDENT_TRY(const Key behind, key_at(low + 1));
    if (!(wanted < behind)) return misplaced;
  }
  return low;
}

bool PackOrder::is_whole() const {
  return file_.is_whole() && (pack_ ? pack_->index().is_whole() : index_->is_whole());
}

}  // namespace resident
