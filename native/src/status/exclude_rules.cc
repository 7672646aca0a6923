#include "status/exclude_rules.h"

namespace resident {

ExcludeMatch ExcludeRules::last_match(const DirectoryNode& directory, std::string_view path,
                                      std::string_view name, bool is_directory) const {
  ExcludeMatch match;
  const auto decides = [&](const PatternList* list) {
    if (list) match = {list, list->last_match(path, name, is_directory, matching)};
    return match.pattern != nullptr;
  };
  for (const DirectoryNode* node = &directory; node; node = node->parent) {
    if (decides(node->patterns.get())) return match;
  }
  if (!decides(info_exclude.get())) decides(excludes_file.get());
  return match;
}

bool ExcludeRules::ignores(const DirectoryNode& directory, std::string_view path,
                           std::string_view name, bool is_directory) const {
  return directory.ignored || last_match(directory, path, name, is_directory).ignores();
}

}  // namespace resident
