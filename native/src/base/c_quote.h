// Decodes paths in git's C-style quotes: "a\tb\303\251".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace resident {

struct Unquoted {
  std::string text;
  size_t end;  // in the input, after the closing quote
};

// `quoted` begins with '"'. Returns nullopt if the closing quote is missing or git has no such
// escape.
std::optional<Unquoted> unquote_c_style(std::string_view quoted);

}  // namespace resident
