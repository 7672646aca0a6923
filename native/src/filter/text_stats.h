// The counts in a content that git's line ending rules need, and git's guess whether it is binary.
#pragma once

#include <cstddef>
#include <string_view>

namespace resident {

struct TextStats {
  size_t nul = 0;
  size_t lone_cr = 0;
  size_t lone_lf = 0;
  size_t crlf = 0;
  size_t printable = 0;     // without line ends
  size_t nonprintable = 0;  // without line ends and a final ^Z

  bool looks_binary() const { return lone_cr > 0 || nul > 0 || printable / 128 < nonprintable; }
};

TextStats gather_text_stats(std::string_view content);

}  // namespace resident
