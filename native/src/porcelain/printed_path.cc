#include "porcelain/printed_path.h"

#include <algorithm>

namespace resident {

namespace {

// The letter after the backslash, 'o' for three octal digits, or 0 for an unescaped byte.
char escape_of(unsigned char byte, bool quote_high_bytes) {
  switch (byte) {
    case '\a':
      return 'a';
    case '\b':
      return 'b';
    case '\t':
      return 't';
    case '\n':
      return 'n';
    case '\v':
      return 'v';
    case '\f':
      return 'f';
    case '\r':
      return 'r';
    case '"':
    case '\\':
      return static_cast<char>(byte);
    default:
      if (byte < 0x20 || byte == 0x7f) return 'o';
      return byte >= 0x80 && quote_high_bytes ? 'o' : '\0';
  }
}

}  // namespace

void append_in_quotes(std::string& out, char c, bool quote_high_bytes) {
  const auto byte = static_cast<unsigned char>(c);
  const char escape = escape_of(byte, quote_high_bytes);
  if (!escape) {
    out += c;
    return;
  }
  out += '\\';
  if (escape != 'o') {
    out += escape;
    return;
  }
  out += static_cast<char>('0' + (byte >> 6));
  out += static_cast<char>('0' + ((byte >> 3) & 7));
  out += static_cast<char>('0' + (byte & 7));
}

std::string relative_path(std::string_view path, std::string_view prefix) {
  while (!prefix.empty()) {
    std::string_view component = prefix.substr(0, prefix.find('/'));
    bool shared = path.starts_with(component) &&
                  (path.size() == component.size() || path[component.size()] == '/');
    if (!shared) break;
    path.remove_prefix(std::min(path.size(), component.size() + 1));
    prefix.remove_prefix(std::min(prefix.size(), component.size() + 1));
    // A finished path has no further components.
    if (path.empty()) break;
  }
  std::string relative;
  for (char c : prefix) {
    if (c == '/') relative += "../";
  }
  relative += path;
  return relative.empty() ? "./" : relative;
}

void append_quoted(std::string& out, std::string_view path, bool quote_high_bytes,
                   QuoteSpaces spaces) {
  bool quoted = std::any_of(path.begin(), path.end(), [&](char c) {
    return escape_of(static_cast<unsigned char>(c), quote_high_bytes) != '\0' ||
           (c == ' ' && spaces == QuoteSpaces::kYes);
  });
  if (!quoted) {
    out += path;
    return;
  }
  out += '"';
  for (char c : path) append_in_quotes(out, c, quote_high_bytes);
  out += '"';
}

}  // namespace resident
