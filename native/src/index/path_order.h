// git's order of names within one directory.
#pragma once

#include <algorithm>
#include <string_view>

namespace resident {

// Negative, zero or positive as `a` sorts before, with or after `b` when both are directories: git
// compares whole paths, so the name is followed by '/'. "a-b" is before "a", and "a" is before
// "a0".
inline int compare_directory_names(std::string_view a, std::string_view b) {
  size_t common = std::min(a.size(), b.size());
  int order = std::string_view::traits_type::compare(a.data(), b.data(), common);
  if (order != 0 || a.size() == b.size()) return order;
  unsigned char next_a = common < a.size() ? static_cast<unsigned char>(a[common]) : '/';
  unsigned char next_b = common < b.size() ? static_cast<unsigned char>(b[common]) : '/';
  // A '/' inside a name cannot happen in an index; equal means that one is `common` + "/...".
  if (next_a == next_b) return a.size() < b.size() ? -1 : 1;
  return next_a < next_b ? -1 : 1;
}

}  // namespace resident
