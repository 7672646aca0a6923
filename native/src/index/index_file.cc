#include "index/index_file.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "hash/hasher.h"
#include "index/extension_check.h"

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

// The first of the NUL-terminated strings that an untracked cache begins with.
std::string_view untracked_cache_place(Bytes extension) {
  ByteReader reader(extension);
  const auto size = read_varint(reader);
  const auto places = size ? reader.take(*size) : std::nullopt;
  if (!places) return {};
  const std::string_view text = as_text(*places);
  return text.substr(0, text.find('\0'));
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

}  // namespace

bool DiskEntry::is_sparse_directory() const {
  return mode == kModeDirectory;
}

Bytes DiskEntry::id_bytes(size_t hash_size) const {
  return {disk + kStatSize, hash_size};
}

IndexStat DiskEntry::stat() const {
  IndexStat stat;
  stat.ctime_seconds = load_be32(disk);
  stat.ctime_nanoseconds = load_be32(disk + 4);
  stat.mtime_seconds = load_be32(disk + 8);
  stat.mtime_nanoseconds = load_be32(disk + 12);
  stat.device = load_be32(disk + 16);
  stat.inode = load_be32(disk + 20);
  stat.uid = load_be32(disk + 28);
  stat.gid = load_be32(disk + 32);
  stat.size = load_be32(disk + 36);
  return stat;
}

Result<IndexFile> IndexFile::open(Bytes bytes, std::string path, HashAlgorithm algorithm,
                                  bool verify_checksum) {
  IndexFile file(bytes, std::move(path), algorithm);
  RESIDENT_CHECK(file.read_header());
  RESIDENT_CHECK(file.check_trailer(algorithm, verify_checksum));
  return file;
}

Error IndexFile::fail(ErrorCode code, std::string_view reason, size_t offset) const {
  return Error{code, path_ + ": " + std::string(reason) + " at byte " + std::to_string(offset)};
}

size_t IndexFile::path_bytes() const {
  return content_.size() - size_t{count_} * (kStatSize + hash_size_);
}

void IndexFile::rewind() {
  position_ = kHeaderSize;
  previous_length_ = 0;
}

Result<void> IndexFile::read_header() {
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
  version_ = load_be32(content_.data() + 4);
  if (version_ < 2 || version_ > 4) {
    return fail(ErrorCode::kUnsupported,
                "index version " + std::to_string(version_) + " is unknown", 4);
  }
  count_ = load_be32(content_.data() + 8);
  // Stat data, id, flags and a name of one byte with its terminator.
  size_t smallest = kStatSize + hash_size_ + 2 + 2;
  if (count_ > (content_.size() - kHeaderSize) / smallest) {
    return fail(ErrorCode::kCorrupt,
                "more entries announced (" + std::to_string(count_) + ") than the file can hold",
                8);
  }
  rewind();
  return {};
}

Result<void> IndexFile::check_trailer(HashAlgorithm algorithm, bool verify_checksum) {
  checksum_ = ObjectId::from_bytes(file_.last(hash_size_));
  if (!verify_checksum || checksum_.is_null()) return {};
  if (hash_bytes(algorithm, content_) == checksum_) return {};
  return fail(ErrorCode::kCorrupt, "checksum does not match the content: checksum",
              content_.size());
}

Result<DiskEntry> IndexFile::next() {
  const size_t start = position_;
  const size_t fixed_size = kStatSize + hash_size_;
  ByteReader reader(content_.subspan(start));
  // Two flag fields, or one and at least a byte of name with its terminator.
  if (reader.remaining() < fixed_size + 4) {
    return fail(ErrorCode::kCorrupt, "truncated entry", start);
  }
  DiskEntry entry;
  entry.disk = content_.data() + start;
  RESIDENT_TRY(entry.mode, read_mode(start));
  const DiskFlags flags = read_flags(entry.disk + fixed_size);
  if (flags.size == 4 && version_ == 2) {
    return fail(ErrorCode::kCorrupt, "extended flags in version 2", start);
  }
  if (flags.extended & ~(kDiskIntentToAdd | kDiskSkipWorktree)) {
    return fail(ErrorCode::kUnsupported, "unknown entry flags", start);
  }
  entry.flags = entry_flags(flags);
  (void)reader.take(fixed_size + flags.size);

  const bool compressed = version_ == 4;
  if (compressed) {
    auto strip = read_varint(reader);
    if (!strip || *strip > previous_length_) {
      return fail(ErrorCode::kCorrupt, "entry strips more than the previous path", start);
    }
    entry.keep = previous_length_ - *strip;
  }
  auto suffix = read_path(reader, entry.keep, flags.base & kNameLengthMask);
  if (!suffix) {
    return fail(ErrorCode::kCorrupt, "entry whose path does not have its stated length", start);
  }
  entry.suffix = as_text(*suffix);
  previous_length_ = entry.path_length();

  size_t size = reader.position();
  // The terminator is the first of one to eight zeros up to a multiple of eight from the start.
  if (!compressed) size = (size + 7) & ~size_t{7};
  if (size > content_.size() - start) return fail(ErrorCode::kCorrupt, "truncated entry", start);
  position_ = start + size;
  return entry;
}

Result<uint16_t> IndexFile::read_mode(size_t offset) const {
  const uint32_t mode = load_be32(content_.data() + offset + kModeOffset);
  const uint32_t type = mode & kModeType;
  const bool known = mode == kModeDirectory || type == kModeRegular || type == kModeSymlink ||
                     type == kModeGitlink;
  if (mode > 0177777 || !known) {
    return fail(ErrorCode::kCorrupt, "entry with an invalid mode", offset);
  }
  return static_cast<uint16_t>(mode);
}

Result<IndexFile::Extensions> IndexFile::extensions() {
  Extensions extensions;
  const size_t entries_end = position_;
  while (position_ < content_.size()) {
    const size_t start = position_;
    ByteReader reader(content_.subspan(start));
    auto signature = reader.take(4);
    auto size = reader.be32();
    auto data = signature && size ? reader.take(*size) : std::nullopt;
    if (!data) return fail(ErrorCode::kCorrupt, "truncated extension", start);
    const std::string_view name = as_text(*signature);
    if (name == "TREE") {
      extensions.tree = *data;
    } else if (name == "link") {
      if (data->size() < hash_size_) {
        return fail(ErrorCode::kCorrupt, "extension 'link' that is too short", start);
      }
      extensions.link = *data;
    } else if (name == "FSMN") {
      extensions.fsmonitor = *data;
    } else if (name == "IEOT" || name == "REUC") {
      const bool plain = name == "IEOT" ? is_plain_entry_offsets(*data, count_, entries_end)
                                        : is_plain_resolve_undo(*data, algorithm_);
      if (!plain) return fail(ErrorCode::kUnsupported, "extension that git complains of", start);
    } else if (name == "UNTR") {
      extensions.untracked_cache_place = untracked_cache_place(*data);
    } else if (name == "sdir") {
      extensions.sparse = true;
    } else if (name[0] < 'A' || name[0] > 'Z') {
      bool printable =
          std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c < 127; });
      return fail(ErrorCode::kUnsupported,
                  printable ? "unknown mandatory extension '" + std::string(name) + "'"
                            : "unknown mandatory extension",
                  start);
    } else if (name != "EOIE") {
      return fail(ErrorCode::kUnsupported, "optional extension that git says it ignores", start);
    }
    position_ += reader.position();
  }
  return extensions;
}

Result<void> IndexFile::check_fsmonitor(const Extensions& extensions, size_t entry_count) const {
  const Bytes data = extensions.fsmonitor;
  if (!data.data() || is_plain_fsmonitor(data, entry_count)) return {};
  return fail(ErrorCode::kUnsupported, "extension 'FSMN' that git complains of",
              static_cast<size_t>(data.data() - file_.data()));
}

}  // namespace resident
