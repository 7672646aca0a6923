// Glob matching with git's exact results. The rules are those of gitignore(5) and gitglossary(7)
// "pathspec". wildmatch.c of git 2.39 decides the corner cases.
//
// Pattern and text are bytes without NUL. Safe from any thread. Allocates nothing. The time is
// polynomial in both lengths for every pattern: it backtracks over at most one `*` and one `**` at
// a time.
//
// Corner cases that callers can observe:
// - ignore_case folds only the text and the unescaped pattern letters outside brackets. `\A` and
//   `[A]` match neither "a" nor "A". Ranges and [:upper:] match both.
// - A pattern matches nothing if it ends in a lone backslash, or has an unterminated bracket or an
//   unknown [:class:].
#pragma once

#include <string_view>

namespace resident {

struct WildmatchOptions {
  // git's WM_PATHNAME: `*`, `?` and brackets do not match '/'. Between slashes `**` matches any
  // number of directories. Without this option `*` and `**` both match anything.
  bool pathname = false;
  bool ignore_case = false;
};

bool wildmatch(std::string_view pattern, std::string_view text, WildmatchOptions options);

constexpr bool is_glob_special(char c) {
  return c == '*' || c == '?' || c == '[' || c == '\\';
}

// The length of the prefix of `pattern` that has no glob character.
inline size_t literal_prefix_length(std::string_view pattern) {
  size_t length = 0;
  while (length < pattern.size() && !is_glob_special(pattern[length])) ++length;
  return length;
}

}  // namespace resident
