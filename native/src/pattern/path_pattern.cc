#include "pattern/path_pattern.h"

#include "base/ascii.h"
#include "pattern/wildmatch.h"

namespace resident {

PathPattern parse_path_pattern(std::string_view pattern) {
  PathPattern result;
  result.negative = pattern.starts_with('!');
  if (result.negative) pattern.remove_prefix(1);
  result.is_suffix =
      pattern.starts_with('*') && literal_prefix_length(pattern.substr(1)) == pattern.size() - 1;
  result.must_be_directory = pattern.ends_with('/');
  if (result.must_be_directory) pattern.remove_suffix(1);
  result.matches_basename = pattern.find('/') == std::string_view::npos;
  if (pattern.starts_with('/')) pattern.remove_prefix(1);
  result.text = pattern;
  result.literal_prefix = static_cast<uint32_t>(literal_prefix_length(pattern));
  return result;
}

bool PathPattern::matches_name(std::string_view basename, const PatternMatching& matching) const {
  const bool ignore_case = matching.ignore_case;
  if (literal_prefix == text.size()) return equal_bytes(text, basename, ignore_case);
  if (is_suffix) return ends_with_bytes(basename, text.substr(1), ignore_case);
  return wildmatch(text, basename, {.pathname = false, .ignore_case = ignore_case});
}

// Like git, it matches the literal prefix first and the glob only against the rest.
bool PathPattern::matches_path(std::string_view relative, const PatternMatching& matching) const {
  const bool ignore_case = matching.ignore_case;
  if (!starts_with_bytes(relative, text.substr(0, literal_prefix), ignore_case)) return false;
  const size_t cut =
      literal_prefix > 0 && matching.glob_sees_prefix ? literal_prefix - 1 : literal_prefix;
  return wildmatch(text.substr(cut), relative.substr(cut),
                   {.pathname = true, .ignore_case = ignore_case});
}

}  // namespace resident
