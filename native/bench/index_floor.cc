#include "bench/index_floor.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "os/unique_fd.h"

namespace resident::bench {

namespace {

constexpr size_t kHeader = 12;
constexpr ptrdiff_t kFixed = 62;  // stat data, id, flags
constexpr size_t kHash = 20;
constexpr uint16_t kExtended = 0x4000;
constexpr uint16_t kLength = 0x0fff;

Error damaged() {
  return Error{ErrorCode::kCorrupt, "the index is damaged, or not one that this floor knows"};
}

// A count in index version 4: seven bits a byte; each byte but the last adds one.
size_t read_count(const uint8_t*& at, const uint8_t* end) {
  size_t value = 0;
  while (at < end) {
    const uint8_t byte = *at++;
    value = (value << 7) | (byte & 0x7f);
    if ((byte & 0x80) == 0) break;
    ++value;
  }
  return value;
}

}  // namespace

Result<void> IndexFloor::load(const std::string& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat st;
  if (!fd.valid() || ::fstat(fd.get(), &st) != 0) return error_from_errno(errno, path);
  const auto size = static_cast<size_t>(st.st_size);
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd.get(), 0);
  if (data == MAP_FAILED) return error_from_errno(errno, path);
  Result<void> parsed = parse({static_cast<const uint8_t*>(data), size});
  ::munmap(data, size);
  return parsed;
}

Result<void> IndexFloor::parse(Bytes file) {
  if (file.size() < kHeader + kHash || std::memcmp(file.data(), "DIRC", 4) != 0) return damaged();
  const uint32_t version = load_be32(file.data() + 4);
  const uint32_t count = load_be32(file.data() + 8);
  if (version < 2 || version > 4 || count > file.size() / size_t{kFixed}) return damaged();
  directories_.assign(1, {});
  open_.assign(1, {0, 0});
  entries_.clear();
  entries_.reserve(count);
  RESIDENT_CHECK(version == 4 ? parse_compressed(file, count) : parse_plain(file, count));
  group();
  return {};
}

Result<void> IndexFloor::parse_plain(Bytes file, uint32_t count) {
  const uint8_t* at = file.data() + kHeader;
  const uint8_t* const end = file.data() + file.size() - kHash;
  const char* before = "";
  size_t length_before = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (end - at < kFixed + 3) return damaged();
    const uint8_t* const entry = at;
    const uint16_t flags = load_be16(at + kFixed - 2);
    at += kFixed + ((flags & kExtended) != 0 ? 2 : 0);
    const auto* path = reinterpret_cast<const char*>(at);
    const auto room = static_cast<size_t>(end - at);
    size_t length = flags & kLength;
    if (length == kLength) length = ::strnlen(path, room);
    if (length >= room) return damaged();
    const auto is_below = [&](size_t prefix) {
      return prefix <= std::min(length, length_before) && std::memcmp(path, before, prefix) == 0;
    };
    while (!is_below(open_.back().prefix)) open_.pop_back();
    const size_t from = open_.back().prefix;
    place(static_cast<uint32_t>(entry - file.data()), from, {path + from, length - from});
    before = path;
    length_before = length;
    // Padded to a multiple of eight, with at least one NUL.
    at = entry + ((static_cast<size_t>(at - entry) + length + 8) & ~size_t{7});
  }
  return {};
}

// Finds an entry's directory without its full path. It suffices to know how many bytes the path
// shares with the one before, and the slashes after these.
Result<void> IndexFloor::parse_compressed(Bytes file, uint32_t count) {
  const uint8_t* at = file.data() + kHeader;
  const uint8_t* const end = file.data() + file.size() - kHash;
  size_t length_before = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (end - at < kFixed + 3) return damaged();
    const uint8_t* const entry = at;
    at += kFixed + ((load_be16(at + kFixed - 2) & kExtended) != 0 ? 2 : 0);
    const size_t strip = read_count(at, end);
    const void* zero = std::memchr(at, 0, static_cast<size_t>(end - at));
    if (strip > length_before || !zero) return damaged();
    const size_t keep = length_before - strip;
    const auto* suffix = reinterpret_cast<const char*>(at);
    const auto size = static_cast<size_t>(static_cast<const uint8_t*>(zero) - at);
    while (open_.back().prefix > keep) open_.pop_back();
    place(static_cast<uint32_t>(entry - file.data()), keep, {suffix, size});
    length_before = keep + size;
    at += size + 1;
  }
  return {};
}

// `suffix` is the entry's path after `from` bytes. These bytes have no slash beyond the open
// directory.
void IndexFloor::place(uint32_t offset, size_t from, std::string_view suffix) {
  for (size_t begin = 0, slash; (slash = suffix.find('/', begin)) != std::string_view::npos;
       begin = slash + 1) {
    const auto directory = static_cast<uint32_t>(directories_.size());
    directories_.push_back({0, 0});
    open_.push_back({directory, static_cast<uint32_t>(from + slash + 1)});
  }
  const uint32_t directory = open_.back().directory;
  ++directories_[directory].entry_count;
  entries_.push_back({offset, directory});
}

void IndexFloor::group() {
  uint32_t first = 0;
  for (Directory& directory : directories_) {
    directory.first = first;
    first += directory.entry_count;
  }
  grouped_.resize(entries_.size());
  for (const Entry& entry : entries_)
    grouped_[directories_[entry.directory].first++] = entry.offset;
}

}  // namespace resident::bench
