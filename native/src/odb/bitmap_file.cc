#include "odb/bitmap_file.h"

#include <algorithm>
#include <utility>

namespace resident {
namespace {

constexpr uint32_t kBitmapSignature = 0x4249544d;  // "BITM"
constexpr size_t kBitmapHeaderSize = 12;           // without the checksum
constexpr uint16_t kFullClosure = 0x1;
constexpr uint16_t kNameHashes = 0x4;
constexpr uint16_t kLookupTable = 0x10;
constexpr uint16_t kPseudoMerges = 0x20;
constexpr uint16_t kKnownFlags = kFullClosure | kNameHashes | kLookupTable | kPseudoMerges;

constexpr size_t kNameHashSize = 4;
constexpr size_t kRowSize = 4 + 8 + 4;
constexpr size_t kEntryHead = 4 + 1 + 1;
constexpr size_t kLeastEntry = kEntryHead + 4 + 4 + 4;
constexpr size_t kPseudoMergesEnd = 4 + 4 + 8 + 8;
constexpr uint32_t kMaxDistance = 160;  // from an entry to the one it was compressed against
constexpr size_t kMaxFlips = 256;       // of each bit, on the way to a commit's bitmap

// In the file's order.
size_t place_of(ObjectType type) {
  switch (type) {
    case ObjectType::kCommit:
      return 0;
    case ObjectType::kTree:
      return 1;
    case ObjectType::kBlob:
      return 2;
    case ObjectType::kTag:
      return 3;
  }
  return 0;
}

}  // namespace

Result<BitmapFile> BitmapFile::open(const std::string& path, Objects objects, Bytes checksum,
                                    HashAlgorithm algorithm) {
  RESIDENT_TRY(MappedFile mapped, MappedFile::open(path));
  BitmapFile file(path, std::move(mapped), objects, algorithm);
  if (Result<void> read = file.read(checksum); !read.ok()) {
    return Error{read.error().code, path + ": " + read.error().message};
  }
  return file;
}

Result<void> BitmapFile::read(Bytes checksum) {
  const size_t id_size = hash_size(algorithm_);
  ByteReader reader(file_.bytes());
  const auto signature = reader.be32();
  const auto version = reader.be16();
  const auto flags = reader.be16();
  const auto count = reader.be32();
  const auto of = reader.take(id_size);
  if (!of || reader.remaining() < id_size) return corrupt("too small");
  if (signature != kBitmapSignature) return corrupt("no bitmaps");
  if (version != 1) return Error{ErrorCode::kUnsupported, "of another version"};
  if (!(*flags & kFullClosure) || (*flags & ~kKnownFlags)) {
    return Error{ErrorCode::kUnsupported, "flags that are not known"};
  }
  if (!std::equal(of->begin(), of->end(), checksum.begin(), checksum.end())) {
    return corrupt("it belongs to another pack");
  }
  entry_count_ = *count;
  RESIDENT_CHECK(read_end(*flags));
  ByteReader body(body_);
  (void)body.take(kBitmapHeaderSize + id_size);
  for (EwahBitmap& type : types_) {
    RESIDENT_TRY(type, EwahBitmap::read(body));
  }
  first_entry_ = body.position();
  if (body.remaining() / kLeastEntry < entry_count_) {
    return corrupt("fewer commits than it counts");
  }
  if (table_.empty()) RESIDENT_CHECK(read_entries(body));
  return {};
}

// From the end to the beginning.
Result<void> BitmapFile::read_end(uint16_t flags) {
  body_ = file_.bytes().first(file_.bytes().size() - hash_size(algorithm_));
  const auto cut = [&](uint64_t size) -> std::optional<Bytes> {
    if (size > body_.size() - std::min(body_.size(), kBitmapHeaderSize + hash_size(algorithm_))) {
      return std::nullopt;
    }
    const Bytes end = body_.last(size);
    body_ = body_.first(body_.size() - size);
    return end;
  };
  if ((flags & kNameHashes) && !cut(uint64_t{kNameHashSize} * objects_.own)) {
    return corrupt("fewer hashes of names than objects");
  }
  if (flags & kLookupTable) {
    const auto table = cut(uint64_t{kRowSize} * entry_count_);
    if (!table) return corrupt("fewer rows than commits");
    table_ = *table;
  }
  if (flags & kPseudoMerges) {
    if (body_.size() < kPseudoMergesEnd || !cut(load_be64(&*(body_.end() - 8)))) {
      return corrupt("its pseudo-merges begin before it");
    }
  }
  return {};
}

Result<void> BitmapFile::read_entries(ByteReader& reader) {
  std::vector<Entry> by_place;
  by_place.reserve(entry_count_);
  for (uint32_t i = 0; i < entry_count_; ++i) {
    Entry entry{0, reader.position(), kNoBase};
    const auto number = reader.be32();
    const auto distance = reader.u8();
    if (!number || !distance || !reader.u8()) return corrupt("its entries are cut off");
    if (*distance > std::min(i, kMaxDistance)) {
      return corrupt("an entry before the first one");
    }
    entry.number = *number;
    if (*distance > 0) entry.base = by_place[i - *distance].number;
    RESIDENT_CHECK(EwahBitmap::read(reader));
    by_place.push_back(entry);
  }
  entries_ = std::move(by_place);
  std::stable_sort(entries_.begin(), entries_.end());
  for (Entry& entry : entries_) {
    if (entry.base != kNoBase) entry.base = *find(entry.base);
  }
  return {};
}

BitmapFile::Entry BitmapFile::entry(uint32_t row) const {
  if (table_.empty()) return entries_[row];
  const uint8_t* at = table_.data() + size_t{row} * kRowSize;
  return {load_be32(at), load_be64(at + 4), load_be32(at + 12)};
}

std::optional<uint32_t> BitmapFile::find(uint32_t number) const {
  uint32_t low = 0, high = entry_count_;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (entry(middle).number < number) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == entry_count_ || entry(low).number != number) return std::nullopt;
  return low;
}

Result<EwahBitmap> BitmapFile::bitmap_at(const Entry& entry) const {
  const uint64_t offset = entry.offset;
  if (offset < first_entry_ || offset > body_.size() || body_.size() - offset < kLeastEntry) {
    return error("an entry outside of it");
  }
  ByteReader reader(body_.subspan(offset));
  if (reader.be32() != entry.number) return error("an entry is another commit's");
  (void)reader.take(kEntryHead - 4);
  Result<EwahBitmap> bitmap = EwahBitmap::read(reader);
  if (!bitmap.ok()) return error(bitmap.error().message);
  return bitmap;
}

// An entry was compressed against one that was written before it, so that the chain ends. Entries
// that do not overlap have in all no more words than the file. And what an entry says of its
// difference is little, or it would not have been compressed so.
Result<std::optional<BitSet>> BitmapFile::reached_from(uint32_t number) const {
  std::optional<uint32_t> row = find(number);
  if (!row) return std::optional<BitSet>();
  BitSet bits(objects_.all());
  size_t words = 0, flipped = 0;
  for (uint64_t end = UINT64_MAX;;) {
    const Entry at = entry(*row);
    if (at.offset >= end) return error("an entry is compressed against a later one");
    end = at.offset;
    RESIDENT_TRY(const EwahBitmap bitmap, bitmap_at(at));
    words += bitmap.word_count();
    if (words > body_.size() / 8) return error("its entries overlap");
    const Result<size_t> flips = bitmap.flip(bits);
    if (!flips.ok()) return error(flips.error().message);
    flipped += *flips;
    if (flipped / kMaxFlips > bits.words().size()) return error("its entries differ too much");
    if (at.base == kNoBase) return std::optional(std::move(bits));
    if (at.base >= entry_count_) return error("an entry is compressed against none");
    row = at.base;
  }
}

Result<BitSet> BitmapFile::objects_of(ObjectType type) const {
  BitSet bits(objects_.all());
  const Result<size_t> flipped = types_[place_of(type)].flip(bits);
  if (!flipped.ok()) return error(flipped.error().message);
  return bits;
}

BitmapFile::Verification::Verification(const BitmapFile& file)
    : file_(file), hasher_(file.algorithm_) {
}

Result<bool> BitmapFile::Verification::step(size_t bytes) {
  const size_t id_size = hash_size(file_.algorithm_);
  const Bytes all = file_.file_.bytes();
  const Bytes hashed = all.first(all.size() - id_size);
  const Bytes next = hashed.subspan(read_, std::min(bytes, hashed.size() - read_));
  hasher_.update(next);
  read_ += next.size();
  if (read_ < hashed.size()) return false;
  if (hasher_.finish() != ObjectId::from_bytes(all.last(id_size))) {
    return file_.error("it has another checksum");
  }
  return true;
}

}  // namespace resident
