#include "repo_state/ignore_files.h"

#include "repo_state/user_files.h"

namespace resident {

bool IgnoreFiles::load() {
  const bool changed = texts_.read(
      {repository_.common_dir + "/info/exclude", user_excludes_file(config_.get(), repository_)});
  const WorktreeSettings& settings = config_.settings();
  const PatternMatching matching{settings.ignore_case, settings.glob_sees_prefix};
  if (!changed && rules_.matching == matching) return false;
  auto parse = [](const std::optional<std::string>& text) {
    return text ? PatternList::parse(*text, "") : nullptr;
  };
  rules_.info_exclude = parse(texts_.texts()[0]);
  rules_.excludes_file = parse(texts_.texts()[1]);
  rules_.matching = matching;
  return true;
}

}  // namespace resident
