// A single pattern of an ignore or attributes file (gitignore(5)), and its match with a path.
#pragma once

#include <cstdint>
#include <string_view>

namespace resident {

struct PatternMatching {
  bool ignore_case = false;  // core.ignoreCase
  // The glob is matched together with the character before it. Then the "**" of "dir/name**/x" does
  // not count as a leading "**". git does so since 2.52.
  bool glob_sees_prefix = true;
  friend bool operator==(const PatternMatching&, const PatternMatching&) = default;
};

struct PathPattern {
  // Without the leading '!', one leading '/' and the trailing '/'. Points into the parsed content.
  std::string_view text;
  uint32_t literal_prefix = 0;  // bytes of `text` before its first glob character
  bool negative = false;
  bool must_be_directory = false;
  bool matches_basename = false;  // no '/' in the pattern: it applies to names, not to paths
  bool is_suffix = false;         // "*literal"

  // For patterns that match the basename. `basename` is the last component of a path.
  bool matches_name(std::string_view basename, const PatternMatching& matching) const;
  // For all other patterns. `relative` is the path below the directory of the file.
  bool matches_path(std::string_view relative, const PatternMatching& matching) const;
};

// Any bytes are a valid pattern. A pattern with an empty text matches no path.
PathPattern parse_path_pattern(std::string_view pattern);

}  // namespace resident
