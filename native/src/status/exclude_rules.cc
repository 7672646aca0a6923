#include "status/exclude_rules.h"

namespace resident {

bool ExcludeRules::ignores(const DirectoryNode& directory, std::string_view path,
                           std::string_view name, bool is_directory) const {
  if (directory.ignored) return true;
  auto asked = [&](const PatternList* list) {
    return list ? list->match(path, name, is_directory, matching) : std::nullopt;
  };
  for (const DirectoryNode* node = &directory; node; node = node->parent) {
    if (auto answer = asked(node->patterns.get())) return *answer;
  }
  if (auto answer = asked(info_exclude.get())) return *answer;
  return asked(excludes_file.get()).value_or(false);
}

}  // namespace resident
