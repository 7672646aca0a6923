#include "odb/loose.h"

#include <optional>
#include <string_view>

#include "zlib/inflate.h"

namespace resident {

namespace {

// Maximum size of a header, with its NUL. git writes and reads no longer header.
constexpr size_t kMaxHeader = 32;

// Parses a decimal number without leading zeros.
std::optional<uint64_t> parse_size(std::string_view digits) {
  if (digits.empty() || (digits.size() > 1 && digits[0] == '0')) return std::nullopt;
  uint64_t size = 0;
  for (char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    const uint64_t digit = static_cast<uint64_t>(c - '0');
    if (size > (UINT64_MAX - digit) / 10) return std::nullopt;
    size = size * 10 + digit;
  }
  return size;
}

}  // namespace

std::string loose_object_path(const std::string& objects_dir, const ObjectId& id) {
  const std::string hex = id.hex();
  return objects_dir + "/" + hex.substr(0, 2) + "/" + hex.substr(2);
}

Result<Object> read_loose_object(FileSystem& fs, const std::string& path, uint64_t limit) {
  RESIDENT_TRY(const std::string compressed, fs.read_file(path));
  auto corrupt = [&](const std::string& reason) {
    return Error{ErrorCode::kCorrupt, path + ": " + reason};
  };
  // Adding to a limit near the maximum must not overflow.
  const uint64_t room = limit > UINT64_MAX - kMaxHeader ? UINT64_MAX : limit + kMaxHeader;
  auto inflated = inflate_whole(as_bytes(compressed), room);
  if (!inflated.ok()) return Error{inflated.error().code, path + ": " + inflated.error().message};

  const std::string_view header = std::string_view(*inflated).substr(0, kMaxHeader);
  const size_t end = header.find('\0');
  const size_t space = header.substr(0, end).find(' ');
  if (end == std::string_view::npos || space == std::string_view::npos) {
    return corrupt("malformed object header");
  }
  auto type = object_type_from_name(header.substr(0, space));
  if (!type) {
    return corrupt("unknown object type '" + std::string(header.substr(0, space)) + "'");
  }
  auto size = parse_size(header.substr(space + 1, end - space - 1));
  if (!size) return corrupt("malformed object size");
  const uint64_t actual = inflated->size() - end - 1;
  if (*size != actual) {
    return corrupt("the header says " + std::to_string(*size) + " bytes, and the content has " +
                   std::to_string(actual));
  }
  Object object{*type, std::move(*inflated)};
  object.content.erase(0, end + 1);
  return object;
}

}  // namespace resident
