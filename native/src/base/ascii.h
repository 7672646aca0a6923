// Case folding like git's for paths and patterns: only ASCII letters, in every locale.
#pragma once

#include <string_view>

namespace resident {

constexpr bool ascii_is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool ascii_is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
constexpr char ascii_lower(char c) {
  return ascii_is_upper(c) ? static_cast<char>(c + 32) : c;
}
constexpr char ascii_upper(char c) {
  return ascii_is_lower(c) ? static_cast<char>(c - 32) : c;
}

inline bool equal_bytes(std::string_view a, std::string_view b, bool ignore_case) {
  if (a.size() != b.size()) return false;
  if (!ignore_case) return a == b;
  for (size_t i = 0; i < a.size(); ++i) {
    if (ascii_lower(a[i]) != ascii_lower(b[i])) return false;
  }
  return true;
}

inline bool starts_with_bytes(std::string_view text, std::string_view prefix, bool ignore_case) {
  return text.size() >= prefix.size() &&
         equal_bytes(text.substr(0, prefix.size()), prefix, ignore_case);
}

inline bool ends_with_bytes(std::string_view text, std::string_view suffix, bool ignore_case) {
  return text.size() >= suffix.size() &&
         equal_bytes(text.substr(text.size() - suffix.size()), suffix, ignore_case);
}

}  // namespace resident
