// Splits and trims text, and parses numbers.
#pragma once

#include <charconv>
#include <string_view>
#include <system_error>

namespace resident {

// Returns the text before the first `separator` and removes both from `text`. Without a separator,
// returns and removes all of `text`.
inline std::string_view cut(std::string_view& text, char separator) {
  const size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

// Without blanks and line ends at both ends.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// Returns false unless all of `text` is a number that fits. `out` may have changed even then.
template <typename Number>
bool parse_number(std::string_view text, Number& out, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, base);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace resident
