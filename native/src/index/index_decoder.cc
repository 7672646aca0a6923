#include "index/index_decoder.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "fs/mapped_file.h"
#include "hash/hasher.h"
#include "index/directory_grouper.h"

namespace resident {
namespace {

constexpr size_t kHeaderSize = 12;
constexpr size_t kStatSize = 40;  // ten 32-bit fields; the seventh is the mode
constexpr size_t kModeOffset = 24;

// On-disk flags.
constexpr uint16_t kNameLengthMask = 0x0fff;  // all ones where the name is that long or longer
constexpr uint16_t kDiskStageShift = 12;
constexpr uint16_t kDiskExtended = 0x4000;
constexpr uint16_t kDiskAssumeValid = 0x8000;
constexpr uint16_t kDiskIntentToAdd = 0x2000;  // these two in the extended flags
constexpr uint16_t kDiskSkipWorktree = 0x4000;

constexpr uint32_t kModeType = 0170000;
constexpr uint32_t kModeRegular = 0100000;
constexpr uint32_t kModeSymlink = 0120000;
constexpr uint32_t kModeGitlink = 0160000;
constexpr uint32_t kModeDirectory = 0040000;

// The variable width integer of pack offsets: 7 bits a byte, most significant first, each
// continuation adding one. nullopt past the end or beyond what any path needs.
std::optional<uint32_t> read_varint(ByteReader& reader) {
  auto byte = reader.u8();
  if (!byte) return std::nullopt;
  uint32_t value = *byte & 0x7f;
  while (*byte & 0x80) {
    byte = reader.u8();
    if (!byte || value >= 1u << 24) return std::nullopt;
    value = ((value + 1) << 7) | (*byte & 0x7f);
  }
  return value;
}

// The stored part of a path and its terminator: what follows the `keep` bytes taken from the
// previous path, so that the whole is as long as `stated`, or at least that long where all bits are
// set.
std::optional<Bytes> read_path(ByteReader& reader, size_t keep, size_t stated) {
  if (stated < kNameLengthMask) {
    if (stated < keep) return std::nullopt;
    // Where the length says there is a zero, and nowhere before.
    auto path = reader.take(stated - keep);
    if (!path || reader.u8() != 0) return std::nullopt;
    if (!path->empty() && std::memchr(path->data(), 0, path->size())) return std::nullopt;
    return path;
  }
  auto path = reader.take_until(0);
  if (!path || keep + path->size() < kNameLengthMask) return std::nullopt;
  return path;
}

struct DiskFlags {
  uint16_t base;
  uint16_t extended = 0;
  size_t size = 2;
};

DiskFlags read_flags(const uint8_t* p) {
  DiskFlags flags{load_be16(p)};
  if (flags.base & kDiskExtended) {
    flags.extended = load_be16(p + 2);
    flags.size = 4;
  }
  return flags;
}

uint16_t entry_flags(DiskFlags disk) {
  uint16_t flags = (disk.base >> kDiskStageShift) & IndexEntry::kStageMask;
  if (disk.base & kDiskAssumeValid) flags |= IndexEntry::kAssumeValid;
  if (disk.extended & kDiskSkipWorktree) flags |= IndexEntry::kSkipWorktree;
  if (disk.extended & kDiskIntentToAdd) flags |= IndexEntry::kIntentToAdd;
  return flags;
}

IndexStat read_stat(const uint8_t* p) {
  IndexStat stat;
  stat.ctime_seconds = load_be32(p);
  stat.ctime_nanoseconds = load_be32(p + 4);
  stat.mtime_seconds = load_be32(p + 8);
  stat.mtime_nanoseconds = load_be32(p + 12);
  stat.device = load_be32(p + 16);
  stat.inode = load_be32(p + 20);
  stat.uid = load_be32(p + 28);
  stat.gid = load_be32(p + 32);
  stat.size = load_be32(p + 36);
  return stat;
}

}  // namespace

Result<std::shared_ptr<const Index>> Index::load(const std::string& path,
                                                 const LoadOptions& options) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file.ok()) {
    if (file.error().code == ErrorCode::kNotFound) return IndexDecoder::empty(options.algorithm);
    return std::move(file).error();
  }
  return IndexDecoder(file->bytes(), path, options.algorithm)
      .run(options.verify_checksum, file->stat());
}

Result<std::shared_ptr<const Index>> Index::decode(Bytes bytes, const std::string& path,
                                                   const LoadOptions& options) {
  return IndexDecoder(bytes, path, options.algorithm).run(options.verify_checksum, FileStat());
}

IndexDecoder::IndexDecoder(Bytes file, std::string path, HashAlgorithm algorithm)
    : file_(file), path_(std::move(path)), hash_size_(hash_size(algorithm)), index_(new Index()) {
  index_->algorithm_ = algorithm;
  index_->checksum_ = ObjectId::null(algorithm);
}

std::shared_ptr<const Index> IndexDecoder::empty(HashAlgorithm algorithm) {
  IndexDecoder decoder({}, {}, algorithm);
  DirectoryGrouper(decoder.index_->directories_, decoder.index_->names_).finish();
  return decoder.index_;
}

Error IndexDecoder::fail(ErrorCode code, std::string_view reason, size_t offset) const {
  return Error{code, path_ + ": " + std::string(reason) + " at byte " + std::to_string(offset)};
}

Result<std::shared_ptr<const Index>> IndexDecoder::run(bool verify_checksum, const FileStat& stat) {
  index_->stat_ = stat;
  RESIDENT_TRY(uint32_t count, read_header());
  RESIDENT_CHECK(check_trailer(verify_checksum));
  RESIDENT_CHECK(read_entries(count));
  place_entries();
  RESIDENT_CHECK(read_extensions());
  return std::shared_ptr<const Index>(std::move(index_));
}

Result<uint32_t> IndexDecoder::read_header() {
  if (file_.size() < kHeaderSize + hash_size_) {
    return fail(ErrorCode::kCorrupt, "index file shorter than its header and checksum: ends",
                file_.size());
  }
  if (file_.size() > UINT32_MAX) {
    return fail(ErrorCode::kUnsupported, "index file larger than 4 GiB: ends", file_.size());
  }
  content_ = file_.first(file_.size() - hash_size_);
  if (std::memcmp(content_.data(), "DIRC", 4) != 0) {
    return fail(ErrorCode::kCorrupt, "no index signature", 0);
  }
  index_->version_ = load_be32(content_.data() + 4);
  if (index_->version_ < 2 || index_->version_ > 4) {
    return fail(ErrorCode::kUnsupported,
                "index version " + std::to_string(index_->version_) + " is unknown", 4);
  }
  uint32_t count = load_be32(content_.data() + 8);
  position_ = kHeaderSize;
  // Stat data, id, flags and a name of one byte with its terminator.
  size_t smallest = kStatSize + hash_size_ + 2 + 2;
  if (count > (content_.size() - kHeaderSize) / smallest) {
    return fail(ErrorCode::kCorrupt,
                "more entries announced (" + std::to_string(count) + ") than the file can hold", 8);
  }
  return count;
}

Result<void> IndexDecoder::check_trailer(bool verify_checksum) {
  index_->checksum_ = ObjectId::from_bytes(file_.last(hash_size_));
  if (!verify_checksum || index_->checksum_.is_null()) return {};
  if (hash_bytes(index_->algorithm_, content_) == index_->checksum_) return {};
  return fail(ErrorCode::kCorrupt, "checksum does not match the content: checksum",
              content_.size());
}

Result<void> IndexDecoder::read_entries(uint32_t count) {
  std::string& names = index_->names_;
  // All paths together are no longer than this, and most of it is never touched.
  names.reserve(content_.size() - size_t{count} * (kStatSize + hash_size_));
  pending_.reserve(count);
  DirectoryGrouper grouper(index_->directories_, names);
  for (uint32_t i = 0; i < count; ++i) RESIDENT_CHECK(read_entry(grouper));
  grouper.finish();
  names.shrink_to_fit();
  index_->directories_.shrink_to_fit();
  return {};
}

Result<void> IndexDecoder::read_entry(DirectoryGrouper& grouper) {
  const size_t start = position_;
  const size_t fixed_size = kStatSize + hash_size_;
  const uint8_t* disk = content_.data() + start;
  ByteReader reader(content_.subspan(start));
  // Two flag fields, or one and at least a byte of name with its terminator.
  if (reader.remaining() < fixed_size + 4) {
    return fail(ErrorCode::kCorrupt, "truncated entry", start);
  }
  RESIDENT_CHECK(check_mode(load_be32(disk + kModeOffset)));
  DiskFlags flags = read_flags(disk + fixed_size);
  if (flags.size == 4 && index_->version_ == 2) {
    return fail(ErrorCode::kCorrupt, "extended flags in version 2", start);
  }
  if (flags.extended & ~(kDiskIntentToAdd | kDiskSkipWorktree)) {
    return fail(ErrorCode::kUnsupported, "unknown entry flags", start);
  }
  (void)reader.take(fixed_size + flags.size);

  const bool compressed = index_->version_ == 4;
  size_t keep = 0;  // bytes of the previous path that this one begins with
  if (compressed) {
    auto strip = read_varint(reader);
    if (!strip || *strip > grouper.path().size()) {
      return fail(ErrorCode::kCorrupt, "entry strips more than the previous path", start);
    }
    keep = grouper.path().size() - *strip;
  }
  auto suffix = read_path(reader, keep, flags.base & kNameLengthMask);
  if (!suffix) {
    return fail(ErrorCode::kCorrupt, "entry whose path does not have its stated length", start);
  }
  if (keep + suffix->size() == 0) {
    return fail(ErrorCode::kUnsupported, "entry without a path, as a split index has them", start);
  }
  auto place =
      grouper.add(keep, as_text(*suffix), (flags.base >> kDiskStageShift) & IndexEntry::kStageMask);
  if (!place.ok()) return fail(place.error().code, place.error().message, start);
  pending_.push_back(
      {static_cast<uint32_t>(start), place->directory, place->name_offset, place->name_length});

  size_t size = reader.position();
  // The terminator is the first of one to eight zeros up to a multiple of eight from the start.
  if (!compressed) size = (size + 7) & ~size_t{7};
  if (size > content_.size() - start) return fail(ErrorCode::kCorrupt, "truncated entry", start);
  position_ = start + size;
  return {};
}

Result<void> IndexDecoder::check_mode(uint32_t mode) const {
  uint32_t type = mode & kModeType;
  if (type == kModeDirectory) {
    return fail(ErrorCode::kUnsupported, "entry of a sparse index", position_);
  }
  if (mode > 0177777 || (type != kModeRegular && type != kModeSymlink && type != kModeGitlink)) {
    return fail(ErrorCode::kCorrupt, "entry with an invalid mode", position_);
  }
  return {};
}

void IndexDecoder::place_entries() {
  std::vector<IndexDirectory>& directories = index_->directories_;
  uint32_t first = 0;
  for (IndexDirectory& directory : directories) {
    directory.first_entry = first;
    first += directory.entry_count;
    directory.entry_count = 0;
  }
  index_->entries_.resize(pending_.size());
  index_->ids_.resize(pending_.size() * hash_size_);
  for (const Pending& pending : pending_) {
    IndexDirectory& directory = directories[pending.directory];
    const uint8_t* disk = content_.data() + pending.offset;
    size_t slot = directory.first_entry + directory.entry_count++;
    IndexEntry& entry = index_->entries_[slot];
    entry.stat = read_stat(disk);
    entry.mode = static_cast<uint16_t>(load_be32(disk + kModeOffset));
    entry.flags = entry_flags(read_flags(disk + kStatSize + hash_size_));
    entry.name_offset = pending.name_offset;
    entry.name_length = pending.name_length;
    std::memcpy(index_->ids_.data() + slot * hash_size_, disk + kStatSize, hash_size_);
  }
  pending_ = {};
}

Result<void> IndexDecoder::read_extensions() {
  Bytes tree;
  while (position_ < content_.size()) {
    const size_t start = position_;
    ByteReader reader(content_.subspan(start));
    auto signature = reader.take(4);
    auto size = reader.be32();
    auto data = signature && size ? reader.take(*size) : std::nullopt;
    if (!data) return fail(ErrorCode::kCorrupt, "truncated extension", start);
    std::string_view name = as_text(*signature);
    if (name == "TREE") {
      tree = *data;
    } else if (name == "link") {
      return fail(ErrorCode::kUnsupported, "split index (extension 'link')", start);
    } else if (name == "sdir") {
      return fail(ErrorCode::kUnsupported, "sparse index (extension 'sdir')", start);
    } else if (name[0] < 'A' || name[0] > 'Z') {
      bool printable =
          std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c < 127; });
      return fail(ErrorCode::kUnsupported,
                  printable ? "unknown mandatory extension '" + std::string(name) + "'"
                            : "unknown mandatory extension",
                  start);
    }
    position_ += reader.position();
  }
  if (tree.empty()) return {};
  index_->cache_tree_ = CacheTree::decode(tree, *index_);
  if (!index_->cache_tree_) return {};
  std::span<const CacheTree::Node> nodes = index_->cache_tree_->nodes();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].directory != kNoDirectory) {
      index_->directories_[nodes[i].directory].cache_tree = i;
    }
  }
  return {};
}

}  // namespace resident
