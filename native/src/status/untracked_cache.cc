#include "status/untracked_cache.h"

#include <sys/utsname.h>

#include <string_view>

#include "config/config_value.h"

namespace resident {

bool git_distrusts_untracked_cache(const Index& index, const Config& config,
                                   const std::string& worktree, const StatusQuery& query) {
  if (index.untracked_cache_place().empty()) return false;
  if (query.untracked == UntrackedMode::kNo || query.ignored != IgnoredMode::kNo) return false;
  // If the config decides about the cache, git silently makes a new one or none.
  const std::optional<std::string_view> configured = config.get("core.untrackedcache");
  if (configured && parse_config_bool(*configured)) return false;
  if (!configured && config.get_bool("feature.manyfiles", false)) return false;
  struct utsname system;
  if (::uname(&system) != 0) return true;
  return index.untracked_cache_place() != "Location " + worktree + ", system " + system.sysname;
}

}  // namespace resident
