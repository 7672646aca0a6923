#include "filter/text_stats.h"

#include <array>
#include <cstdint>

namespace resident {
namespace {

constexpr bool is_printable(unsigned c) {
  if (c == '\b' || c == '\t' || c == 0x1b || c == '\f') return true;
  return c >= 32 && c != 127;
}

}  // namespace

TextStats gather_text_stats(std::string_view content) {
  std::array<size_t, 256> counts{};
  for (char c : content) ++counts[static_cast<uint8_t>(c)];

  TextStats stats;
  for (size_t at = content.find('\r'); at != std::string_view::npos;
       at = content.find('\r', at + 1)) {
    if (at + 1 < content.size() && content[at + 1] == '\n') ++stats.crlf;
  }
  stats.nul = counts[0];
  stats.lone_cr = counts['\r'] - stats.crlf;
  stats.lone_lf = counts['\n'] - stats.crlf;
  for (unsigned c = 0; c < counts.size(); ++c) {
    if (c == '\r' || c == '\n') continue;
    (is_printable(c) ? stats.printable : stats.nonprintable) += counts[c];
  }
  if (content.ends_with('\x1a')) --stats.nonprintable;
  return stats;
}

}  // namespace resident
