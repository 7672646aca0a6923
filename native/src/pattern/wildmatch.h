// Glob matching with git's exact results (the rules of gitignore(5) and gitglossary(7) "pathspec",
// as wildmatch.c of git 2.39 decides them, its corner cases included).
//
// Pattern and text are bytes without NUL. Safe from any thread; allocates nothing, and takes time
// polynomial in the two lengths whatever the pattern (no backtracking over more than one `*` and
// one
// `**` at a time).
//
// Corner cases that callers can observe:
// - With ignore_case only the text and unescaped pattern letters outside of brackets are folded, so
//   `\A` and `[A]` match neither "a" nor "A"; ranges and [:upper:] do match both.
// - A pattern that ends in a lone backslash, or that has an unterminated bracket or an unknown
//   [:class:], matches nothing.
#pragma once

#include <string_view>

namespace resident {

struct WildmatchOptions {
  // git's WM_PATHNAME: `*`, `?` and brackets do not match '/', and `**` between slashes matches any
  // number of directories. Without it `*` and `**` both match anything.
  bool pathname = false;
  bool ignore_case = false;
};

bool wildmatch(std::string_view pattern, std::string_view text, WildmatchOptions options);

constexpr bool is_glob_special(char c) {
  return c == '*' || c == '?' || c == '[' || c == '\\';
}

// Length of the leading part of `pattern` that has no glob character.
inline size_t literal_prefix_length(std::string_view pattern) {
  size_t length = 0;
  while (length < pattern.size() && !is_glob_special(pattern[length])) ++length;
  return length;
}

}  // namespace resident
