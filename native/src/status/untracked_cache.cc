#include "status/untracked_cache.h"

#include <string_view>

#include "config/config_value.h"
#include "os/environment.h"

namespace resident {

bool git_distrusts_untracked_cache(const Index& index, const Config& config,
                                   const std::string& worktree, const StatusQuery& query) {
  if (index.untracked_cache_place().empty()) return false;
  if (query.untracked == UntrackedMode::kNo || query.ignored != IgnoredMode::kNo) return false;
  // If the config decides about the cache, git silently makes a new one or none.
  const std::optional<std::string_view> configured = config.get("core.untrackedcache");
  if (configured && parse_config_bool(*configured)) return false;
  if (!configured && config.get_bool("feature.manyfiles", false)) return false;
  const std::string system = system_name();
  if (system.empty()) return true;
  return index.untracked_cache_place() != "Location " + worktree + ", system " + system;
}

}  // namespace resident
