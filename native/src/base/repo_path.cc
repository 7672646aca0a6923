#include "base/repo_path.h"

#include <algorithm>
#include <cstdint>

namespace resident {
namespace {

constexpr char16_t kByteSurrogates = 0xDC00;  // + 0x80..0xFF

}  // namespace

Utf8Character first_character(std::string_view bytes) {
  const auto at = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  const uint8_t lead = at(0);
  if (lead < 0x80) return {lead, 1};

  size_t length = 0;
  char32_t code_point = 0;
  uint8_t second_low = 0x80;
  uint8_t second_high = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
    code_point = lead & 0x1F;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    code_point = lead & 0x0F;
    if (lead == 0xE0) second_low = 0xA0;
    if (lead == 0xED) second_high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    code_point = lead & 0x07;
    if (lead == 0xF0) second_low = 0x90;
    if (lead == 0xF4) second_high = 0x8F;
  } else {
    return {};
  }
  if (bytes.size() < length) return {};
  for (size_t i = 1; i < length; ++i) {
    const uint8_t low = i == 1 ? second_low : 0x80;
    const uint8_t high = i == 1 ? second_high : 0xBF;
    if (at(i) < low || at(i) > high) return {};
    code_point = code_point << 6 | (at(i) & 0x3F);
  }
  return {code_point, length};
}

namespace {

void append_utf8(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | c >> 12);
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | c >> 18);
    out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

constexpr bool is_high_surrogate(char16_t c) {
  return c >= 0xD800 && c <= 0xDBFF;
}
constexpr bool is_low_surrogate(char16_t c) {
  return c >= 0xDC00 && c <= 0xDFFF;
}

}  // namespace

bool is_ascii(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(),
                     [](char c) { return static_cast<uint8_t>(c) < 0x80; });
}

bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const Utf8Character decoded = first_character(bytes);
    if (decoded.length == 0) return false;
    bytes.remove_prefix(decoded.length);
  }
  return true;
}

std::u16string repo_path_to_utf16(std::string_view bytes) {
  std::u16string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const Utf8Character decoded = first_character(bytes);
    if (decoded.length == 0) {
      text += static_cast<char16_t>(kByteSurrogates + static_cast<uint8_t>(bytes[0]));
      bytes.remove_prefix(1);
      continue;
    }
    if (decoded.code_point < 0x10000) {
      text += static_cast<char16_t>(decoded.code_point);
    } else {
      const char32_t offset = decoded.code_point - 0x10000;
      text += static_cast<char16_t>(0xD800 + (offset >> 10));
      text += static_cast<char16_t>(0xDC00 + (offset & 0x3FF));
    }
    bytes.remove_prefix(decoded.length);
  }
  return text;
}

Result<std::string> repo_path_from_utf16(std::u16string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const char16_t c = text[i];
    if (c == 0) return Error{ErrorCode::kInvalid, "a path cannot contain NUL"};
    if (is_high_surrogate(c) && i + 1 < text.size() && is_low_surrogate(text[i + 1])) {
      append_utf8(bytes, 0x10000 + ((c - 0xD800u) << 10) + (text[i + 1] - 0xDC00u));
      ++i;
    } else if (c >= kByteSurrogates + 0x80 && c <= kByteSurrogates + 0xFF) {
      bytes += static_cast<char>(c - kByteSurrogates);
    } else if (is_high_surrogate(c) || is_low_surrogate(c)) {
      return Error{ErrorCode::kInvalid, "a path cannot contain a surrogate that encodes no byte"};
    } else {
      append_utf8(bytes, c);
    }
  }
  return bytes;
}

}  // namespace resident
