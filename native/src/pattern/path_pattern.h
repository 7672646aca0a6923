// One pattern of an ignore or attributes file (gitignore(5)), and whether it matches a path.
#pragma once

#include <cstdint>
#include <string_view>

namespace resident {

struct PatternMatching {
  bool ignore_case = false;  // core.ignoreCase
  // The glob is matched together with the character before it, so that the "**" of "dir/name**/x"
  // is no leading one. Since git 2.52.
  bool glob_sees_prefix = true;
  friend bool operator==(const PatternMatching&, const PatternMatching&) = default;
};

struct PathPattern {
  // Without the leading '!', one leading '/' and the trailing '/'. Points into what was parsed.
  std::string_view text;
  uint32_t literal_prefix = 0;  // bytes of `text` before its first glob character
  bool negative = false;
  bool must_be_directory = false;
  bool matches_basename = false;  // no '/' in the pattern: it says something about names, not paths
  bool is_suffix = false;         // "*literal"

  // For patterns that match the basename: `basename` is a path's last component.
  bool matches_name(std::string_view basename, const PatternMatching& matching) const;
  // For the others: `relative` is the path below the directory that holds the file.
  bool matches_path(std::string_view relative, const PatternMatching& matching) const;
};

// Any bytes are a pattern. One whose text is empty matches no path.
PathPattern parse_path_pattern(std::string_view pattern);

}  // namespace resident
