#include "filter/encoding.h"

#include "base/ascii.h"
#include "os/text_converter.h"

namespace resident {
namespace {

constexpr std::string_view kUtf16BeMark("\xfe\xff", 2);
constexpr std::string_view kUtf16LeMark("\xff\xfe", 2);
constexpr std::string_view kUtf32BeMark("\0\0\xfe\xff", 4);
constexpr std::string_view kUtf32LeMark("\xff\xfe\0\0", 4);

bool equal_name(std::string_view a, std::string_view b) {
  return equal_bytes(a, b, true);
}

// Whether `name` is UTF-<form>. The hyphen is optional.
bool is_utf(std::string_view name, std::string_view form) {
  if (!starts_with_bytes(name, "utf", true)) return false;
  name.remove_prefix(3);
  if (name.starts_with('-')) name.remove_prefix(1);
  return equal_name(name, form);
}

bool byte_order_mark_is_allowed(std::string_view content, std::string_view encoding) {
  const bool mark16 = content.starts_with(kUtf16BeMark) || content.starts_with(kUtf16LeMark);
  const bool mark32 = content.starts_with(kUtf32BeMark) || content.starts_with(kUtf32LeMark);
  if (is_utf(encoding, "16BE") || is_utf(encoding, "16LE")) return !mark16;
  if (is_utf(encoding, "32BE") || is_utf(encoding, "32LE")) return !mark32;
  if (is_utf(encoding, "16")) return mark16;
  if (is_utf(encoding, "32")) return mark32;
  return true;
}

}  // namespace

bool is_utf8_name(std::string_view encoding) {
  return is_utf(encoding, "8");
}

std::optional<std::string> encode_to_utf8(std::string_view content, const std::string& encoding) {
  if (!byte_order_mark_is_allowed(content, encoding)) return std::nullopt;
  // git's own name for UTF-16 that is written with a little-endian mark.
  if (is_utf(encoding, "16LE-BOM")) return convert_to_utf8(content, "UTF-16");
  std::optional<std::string> converted = convert_to_utf8(content, encoding.c_str());
  // git knows this name too. Every content is valid in this encoding.
  if (!converted && equal_name(encoding, "latin-1")) {
    converted = convert_to_utf8(content, "ISO-8859-1");
  }
  return converted;
}

}  // namespace resident
