// git's order of the names within one directory.
//
// git compares whole paths byte by byte. A directory's name therefore counts as if it ended in '/'.
// A file's name counts as if it ended in a zero byte. Example: "a-b/" is before "a/", and the file
// "a" is before both.
#pragma once

#include <algorithm>
#include <compare>
#include <string_view>

namespace resident {

// Order of `a` and `b`. A file and a directory with the same name are different names.
inline std::strong_ordering compare_names(std::string_view a, bool a_is_directory,
                                          std::string_view b, bool b_is_directory) {
  const size_t common = std::min(a.size(), b.size());
  int order = std::string_view::traits_type::compare(a.data(), b.data(), common);
  if (order != 0) return order <=> 0;
  auto next = [common](std::string_view name, bool is_directory) -> int {
    if (name.size() > common) return static_cast<unsigned char>(name[common]);
    return is_directory ? '/' : 0;
  };
  int next_a = next(a, a_is_directory);
  int next_b = next(b, b_is_directory);
  if (next_a != next_b) return next_a <=> next_b;
  // These differ only for a name with a slash inside. No valid index or tree has such a name.
  return a.size() <=> b.size();
}

inline std::strong_ordering compare_directory_names(std::string_view a, std::string_view b) {
  return compare_names(a, true, b, true);
}

}  // namespace resident
