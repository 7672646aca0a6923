#include "filter/encoding.h"

#include <iconv.h>

#include <cerrno>

#include "base/ascii.h"

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

class Converter {
 public:
  explicit Converter(const std::string& encoding) : handle_(open(encoding)) {}
  ~Converter() {
    if (valid()) ::iconv_close(handle_);
  }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  bool valid() const { return handle_ != kInvalid; }

  std::optional<std::string> convert(std::string_view content) {
    std::string out(content.size() + 16, '\0');
    char* in = const_cast<char*>(content.data());  // iconv's type; it does not write
    size_t in_left = content.size();
    size_t done = 0;
    for (;;) {
      char* to = out.data() + done;
      size_t room = out.size() - done;
      const size_t status = ::iconv(handle_, &in, &in_left, &to, &room);
      done = out.size() - room;
      if (status != static_cast<size_t>(-1)) break;
      if (errno != E2BIG) return std::nullopt;
      out.resize(done + in_left * 2 + 32);
    }
    out.resize(done);
    return out;
  }

 private:
  static inline const iconv_t kInvalid = reinterpret_cast<iconv_t>(-1);

  static iconv_t open(const std::string& encoding) {
    // git's own name for UTF-16 that is written with a little-endian mark.
    const char* name = is_utf(encoding, "16LE-BOM") ? "UTF-16" : encoding.c_str();
    iconv_t handle = ::iconv_open("UTF-8", name);
    if (handle == kInvalid && equal_name(encoding, "latin-1")) {
      handle = ::iconv_open("UTF-8", "ISO-8859-1");
    }
    return handle;
  }

  iconv_t handle_;
};

}  // namespace

bool is_utf8_name(std::string_view encoding) {
  return is_utf(encoding, "8");
}

std::optional<std::string> encode_to_utf8(std::string_view content, const std::string& encoding) {
  if (!byte_order_mark_is_allowed(content, encoding)) return std::nullopt;
  Converter converter(encoding);
  if (!converter.valid()) return std::nullopt;
  return converter.convert(content);
}

}  // namespace resident
