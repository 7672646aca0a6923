// git's C-style quoting of paths ("a\tb\303\251"), read back.
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

// `quoted` begins with '"'. nullopt where no closing quote follows or an escape is not git's.
std::optional<Unquoted> unquote_c_style(std::string_view quoted);

}  // namespace resident
