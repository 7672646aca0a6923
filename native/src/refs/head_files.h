// For whoever has git look at a repository, without its config: what tells to ask again.
#pragma once

#include <string>
#include <vector>

#include "fs/file_system.h"

namespace resident {

// Files whose stat tells that HEAD may lead elsewhere, or to another commit, existing or not.
std::vector<std::string> files_around_head(FileSystem& fs, const std::string& git_dir,
                                           const std::string& common_dir);

}  // namespace resident
