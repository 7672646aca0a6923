// Finds how a repository stores its refs, and the files to watch for changes of HEAD. It does not
// need the repository's config.
#pragma once

#include <string>
#include <vector>

#include "fs/file_system.h"
#include "refs/ref_storage.h"

namespace resident {

// The ref storage, detected by the target of HEAD.
RefStorage storage_by_head(FileSystem& fs, const std::string& git_dir);

// Files whose stat changes if HEAD or its commit changes. Some may be missing.
std::vector<std::string> files_around_head(FileSystem& fs, const std::string& git_dir,
                                           const std::string& common_dir);

}  // namespace resident
