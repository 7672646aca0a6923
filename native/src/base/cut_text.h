// Text that is taken apart: at a separator, and as a number.
#pragma once

#include <charconv>
#include <string_view>
#include <system_error>

namespace resident {

// Cuts `text` at the first `separator`; the rest stays. Without one, everything is taken.
inline std::string_view cut(std::string_view& text, char separator) {
  const size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

// False where `text` is anything but a number that fits. `out` may have changed then.
template <typename Number>
bool parse_number(std::string_view text, Number& out, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, base);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace resident
