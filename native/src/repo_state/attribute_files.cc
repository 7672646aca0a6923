#include "repo_state/attribute_files.h"

#include <cstdlib>

#include "repo_state/user_files.h"

namespace resident {

bool AttributeFiles::load() {
  const bool were_unreadable = are_unreadable();
  const bool changed =
      texts_.read({repository_.common_dir + "/info/attributes",
                   user_attributes_file(config_.get(), repository_),
                   std::getenv("GIT_ATTR_NOSYSTEM") ? "" : system_attributes_file()});
  return changed || were_unreadable != are_unreadable();
}

}  // namespace resident
