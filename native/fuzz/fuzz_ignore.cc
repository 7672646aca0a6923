// "<flags> <path> LF <an ignore file>": the hashed lookup finds the same as trying every pattern
// from last to first.
#include <string>

#include "base/ascii.h"
#include "fuzz/fuzz_target.h"
#include "ignore/pattern_list.h"

namespace resident {
namespace {

const Pattern* last_match_by_trial(const PatternList& list, std::string_view relative,
                                   std::string_view basename, bool is_directory, bool ignore_case) {
  for (size_t i = list.patterns().size(); i > 0; --i) {
    const Pattern& pattern = list.patterns()[i - 1];
    if (pattern.must_be_directory && !is_directory) continue;
    if (pattern.matches_basename ? pattern.matches_name(basename, {.ignore_case = ignore_case})
                                 : pattern.matches_path(relative, {.ignore_case = ignore_case})) {
      return &pattern;
    }
  }
  return nullptr;
}

const FuzzTarget ignore_target("ignore", [](Bytes bytes) {
  FuzzInput input(bytes);
  const uint8_t flags = input.byte();
  const bool ignore_case = flags & 1;
  const bool is_directory = flags & 2;
  const std::string base = flags & 4 ? "a/" : "";
  std::string_view path = input.until('\n');
  path = path.substr(0, path.find('\0'));
  const std::string_view basename = path.substr(path.rfind('/') + 1);
  const auto list = PatternList::parse(std::string(input.rest()), base);
  for (const Pattern& pattern : list->patterns()) {
    expect(!pattern.text.empty() && pattern.literal_prefix <= pattern.text.size());
  }
  const Pattern* found =
      list->last_match(path, basename, is_directory, {.ignore_case = ignore_case});
  if (basename.empty() || path.size() <= base.size() ||
      !starts_with_bytes(path, base, ignore_case)) {
    expect(found == nullptr);
    return;
  }
  expect(found ==
         last_match_by_trial(*list, path.substr(base.size()), basename, is_directory, ignore_case));
});

}  // namespace
}  // namespace resident
