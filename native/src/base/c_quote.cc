#include "base/c_quote.h"

namespace resident {
namespace {

bool is_octal(char c) {
  return c >= '0' && c <= '7';
}

// The byte of the escape "\<c>" if it is a single-letter escape.
std::optional<char> simple_escape(char c) {
  static constexpr std::string_view kLetters = "abfnrtv\\\"";
  static constexpr std::string_view kBytes = "\a\b\f\n\r\t\v\\\"";
  size_t at = kLetters.find(c);
  if (at == std::string_view::npos) return std::nullopt;
  return kBytes[at];
}

}  // namespace

std::optional<Unquoted> unquote_c_style(std::string_view quoted) {
  if (!quoted.starts_with('"')) return std::nullopt;
  Unquoted result{{}, 1};
  for (size_t& i = result.end; i < quoted.size();) {
    char c = quoted[i++];
    if (c == '"') return result;
    if (c != '\\') {
      result.text += c;
      continue;
    }
    std::string_view escape = quoted.substr(i, 3);
    if (escape.empty()) return std::nullopt;
    if (auto simple = simple_escape(escape[0])) {
      result.text += *simple;
      i += 1;
    } else if (escape.size() == 3 && escape[0] <= '3' && is_octal(escape[0]) &&
               is_octal(escape[1]) && is_octal(escape[2])) {
      int value = (escape[0] - '0') * 64 + (escape[1] - '0') * 8 + (escape[2] - '0');
      result.text += static_cast<char>(value);
      i += 3;
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace resident
