// "<flags> <prefix> LF <path> LF <argument> NUL <argument> ...": a pathspec that matches a path
// must not exclude the directories above it. The path lies in the common directory of all matches.
#include <string>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "pattern/pathspec.h"

namespace resident {
namespace {

const FuzzTarget pathspec_target("pathspec", [](Bytes bytes) {
  FuzzInput input(bytes);
  const uint8_t flags = input.byte();
  std::string prefix(input.until('\n'));
  const std::string_view path = input.until('\n');
  while (prefix.starts_with('/')) prefix.erase(0, 1);
  if (!prefix.empty() && !prefix.ends_with('/')) prefix += '/';
  PathspecOptions options;
  options.prefix = prefix;
  options.worktree = "/work/tree";
  options.settings.literal = flags & 1;
  options.settings.glob = flags & 2;
  options.settings.noglob = flags & 4;
  options.settings.ignore_case = flags & 8;
  std::vector<std::string> arguments;
  while (!input.empty() && arguments.size() < 16) arguments.emplace_back(input.until('\0'));
  auto pathspec = Pathspec::parse(arguments, options);
  if (!pathspec.ok()) return;
  const AttributeCheck has_attributes = [&](std::string_view, std::span<const AttributeDemand>) {
    return (flags & 32) != 0;
  };
  const bool matches = pathspec->match(path, flags & 16, has_attributes) != PathspecMatch::kNone;
  (void)pathspec->match_leading(std::string(path) + "/", has_attributes);
  if (pathspec->empty()) expect(matches);
  if (!matches || pathspec->empty()) return;
  expect(path.starts_with(pathspec->common_directory()) ||
         std::string(path) + "/" == pathspec->common_directory());
  for (size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/', slash + 1)) {
    if (slash > 0) expect(pathspec->may_match_at_or_below(path.substr(0, slash)));
  }
});

}  // namespace
}  // namespace resident
