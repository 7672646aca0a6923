#include "base/json.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "base/repo_path.h"

namespace resident {

namespace {

void append_base64(std::string& out, std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t at = 0; at < bytes.size(); at += 3) {
    uint32_t bits = 0;
    for (size_t i = at; i < at + 3; ++i) {
      bits = bits << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0);
    }
    const size_t digits = std::min<size_t>(bytes.size() - at, 3) + 1;
    for (size_t i = 0; i < 4; ++i) {
      out += i < digits ? kDigits[bits >> (18 - 6 * i) & 63] : '=';
    }
  }
}

// `last_plain`: a unit above it is escaped.
template <typename Unit>
void append_quoted(std::string& out, std::basic_string_view<Unit> units, unsigned last_plain) {
  out += '"';
  for (const Unit c : units) {
    const unsigned unit = sizeof c == 1 ? static_cast<unsigned char>(c) : static_cast<unsigned>(c);
    if (unit == '"' || unit == '\\') {
      out.append({'\\', static_cast<char>(unit)});
    } else if (unit < 0x20 || unit > last_plain) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", unit);
      out += escape;
    } else {
      out += static_cast<char>(unit);
    }
  }
  out += '"';
}

}  // namespace

void append_json_text(std::string& out, std::string_view bytes) {
  if (is_utf8(bytes)) return append_quoted(out, bytes, 0xff);
  out += "{\"base64\":\"";
  append_base64(out, bytes);
  out += "\"}";
}

void append_json_ascii(std::string& out, std::string_view bytes) {
  append_quoted(out, std::u16string_view(repo_path_to_utf16(bytes)), 0x7e);
}

}  // namespace resident
