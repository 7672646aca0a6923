#include "index/index_file.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/byte_search.h"
#include "hash/hasher.h"
#include "index/extension_check.h"

namespace resident {
namespace {

constexpr size_t kHeaderSize = 12;

constexpr uint32_t kModeType = 0170000;
constexpr uint32_t kModeRegular = 0100000;
constexpr uint32_t kModeSymlink = 0120000;

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

// How many bytes of a path are stored in `rest`, before its terminator, so that with the `keep`
// bytes taken from the previous path the whole is as long as `stated`, or at least that long where
// all bits are set. rest.size() where it is not so. Zeros in it are for the caller to find.
size_t stored_length(Bytes rest, size_t keep, size_t stated) {
  if (stated < DiskFlags::kNameLengthMask) {
    const size_t length = stated - keep;
    return stated >= keep && length < rest.size() && rest[length] == 0 ? length : rest.size();
  }
  const void* zero = std::memchr(rest.data(), 0, rest.size());
  if (!zero) return rest.size();
  const auto length = static_cast<size_t>(static_cast<const uint8_t*>(zero) - rest.data());
  return keep + length >= DiskFlags::kNameLengthMask ? length : rest.size();
}

constexpr std::string_view kWrongLength = "entry with a wrong path length";

// As git writes them. Of any other mode git shows now what is stored and now what it takes it for.
bool is_canonical_mode(uint32_t mode) {
  return mode == 0100644 || mode == 0100755 || mode == kModeSymlink ||
         mode == IndexEntry::kGitlinkMode || mode == kDiskModeDirectory;
}

bool is_known_mode(uint32_t mode) {
  const uint32_t type = mode & kModeType;
  return mode <= 0177777 && (type == kModeRegular || type == kModeSymlink ||
                             type == IndexEntry::kGitlinkMode || mode == kDiskModeDirectory);
}

}  // namespace

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
  return content_.size() - size_t{count_} * (kDiskStatSize + hash_size_);
}

void IndexFile::rewind() {
  seek(kHeaderSize, 0);
}

void IndexFile::seek(size_t offset, size_t previous_length) {
  position_ = std::min(offset, content_.size());
  previous_length_ = previous_length;
  previous_ = {};
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
  size_t smallest = kDiskStatSize + hash_size_ + 2 + 2;
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

Result<void> IndexFile::next(DiskEntry& entry) {
  const size_t start = position_;
  const size_t fixed_size = kDiskStatSize + hash_size_;
  entry.disk = content_.data() + start;
  // Two flag fields, or one and at least a byte of name with its terminator.
  if (content_.size() - start < fixed_size + 4) return damaged_entry("truncated entry", entry);
  const uint32_t mode = load_be32(entry.disk + kDiskModeOffset);
  if (!is_canonical_mode(mode)) {
    if (!is_known_mode(mode)) return damaged_entry("entry with an invalid mode", entry);
    return fail({ErrorCode::kUnsupported, "entry with a mode that git does not write"}, entry);
  }
  entry.mode = static_cast<uint16_t>(mode);
  const DiskFlags flags = DiskFlags::read(entry.disk + fixed_size);
  if (flags.size == 4 && version_ == 2) return damaged_entry("extended flags in version 2", entry);
  if (flags.has_unknown()) {
    return fail({ErrorCode::kUnsupported, "unknown entry flags"}, entry);
  }
  entry.flags = flags.entry_flags();

  const bool compressed = version_ == 4;
  const size_t stated = flags.base & DiskFlags::kNameLengthMask;
  size_t at = start + fixed_size + flags.size;
  size_t keep = 0;
  if (compressed) {
    ByteReader reader(content_.subspan(at));
    const auto strip = read_varint(reader);
    if (!strip || *strip > previous_length_) {
      return damaged_entry("entry strips more than the previous path", entry);
    }
    keep = previous_length_ - *strip;
    at += reader.position();
  }
  const Bytes rest = content_.subspan(at);
  const size_t length = stored_length(rest, keep, stated);
  if (length == rest.size()) return damaged_entry(kWrongLength, entry);
  std::string_view suffix = as_text(rest.first(length));
  if (!compressed) {
    // As if it were compressed: what both paths begin with was looked at already.
    keep = common_prefix(previous_, suffix);
    previous_ = suffix;
    suffix.remove_prefix(keep);
  }
  if (contains_byte(suffix, '\0')) return damaged_entry(kWrongLength, entry);
  entry.keep = keep;
  entry.suffix = suffix;
  previous_length_ = keep + suffix.size();

  size_t size = at + length + 1 - start;
  // The terminator is the first of one to eight zeros up to a multiple of eight from the start.
  if (!compressed) size = (size + 7) & ~size_t{7};
  if (size > content_.size() - start) return damaged_entry("truncated entry", entry);
  position_ = start + size;
  return {};
}

bool IndexFile::next_sibling(size_t directory, DiskEntry& entry, std::string_view& name) {
  const size_t start = position_;
  const size_t fixed_size = kDiskStatSize + hash_size_;
  // Of version 4 there is no whole path before.
  if (content_.size() - start < fixed_size + 4 || previous_.size() <= directory) return false;
  const uint8_t* const disk = content_.data() + start;
  const uint32_t mode = load_be32(disk + kDiskModeOffset);
  const DiskFlags flags = DiskFlags::read(disk + fixed_size);
  const size_t length = flags.base & DiskFlags::kNameLengthMask;
  const size_t header = fixed_size + flags.size;
  const size_t size = (header + length + 8) & ~size_t{7};
  if (!is_canonical_mode(mode) || mode == kDiskModeDirectory ||
      (flags.size == 4 && version_ == 2) || flags.has_unknown() || length <= directory ||
      length == DiskFlags::kNameLengthMask || size > content_.size() - start) {
    return false;
  }
  const std::string_view path = as_text({disk + header, length});
  name = path.substr(directory);
  const std::string_view before = previous_.substr(directory);
  if (path.data()[length] != '\0' || name[0] == '.' ||
      std::memcmp(path.data(), previous_.data(), directory) != 0 || name <= before ||
      std::memchr(name.data(), 0, name.size()) || std::memchr(name.data(), '/', name.size())) {
    return false;
  }
  entry.disk = disk;
  entry.mode = static_cast<uint16_t>(mode);
  entry.flags = flags.entry_flags();
  previous_ = path;
  position_ = start + size;
  return true;
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
      if (!plain) return fail(ErrorCode::kUnsupported, "extension that git warns about", start);
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
      return fail(ErrorCode::kUnsupported, "optional extension that git reports as ignored", start);
    }
    position_ += reader.position();
  }
  return extensions;
}

Result<FsmonitorMarks> IndexFile::fsmonitor_marks(const Extensions& extensions,
                                                  uint32_t entry_count) const {
  const Bytes data = extensions.fsmonitor;
  if (!data.data()) return FsmonitorMarks();
  if (auto marks = read_fsmonitor_marks(data, entry_count)) return *std::move(marks);
  return fail(ErrorCode::kUnsupported, "extension 'FSMN' that git warns about",
              static_cast<size_t>(data.data() - file_.data()));
}

Result<void> IndexFile::check_cache_tree(const Extensions& extensions,
                                         const CacheTree* tree) const {
  if (!tree || !tree->contradicts_index()) return {};
  return fail(ErrorCode::kUnsupported, "extension 'TREE' with a wrong number of entries",
              static_cast<size_t>(extensions.tree.data() - file_.data()));
}

}  // namespace resident
