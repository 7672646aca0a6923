// For whoever looks at a repository, or has git look, without its config: how it keeps its refs,
// and what tells to look again.
#pragma once

#include <string>
#include <vector>

#include "fs/file_system.h"
#include "refs/ref_storage.h"

namespace resident {

// How refs are kept, by what HEAD names.
RefStorage storage_by_head(FileSystem& fs, const std::string& git_dir);

// Files whose stat tells that HEAD may lead elsewhere, or to another commit, existing or not.
std::vector<std::string> files_around_head(FileSystem& fs, const std::string& git_dir,
                                           const std::string& common_dir);

}  // namespace resident
