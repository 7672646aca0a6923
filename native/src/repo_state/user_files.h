// The files of the user and of the system that apply to every worktree. "": no such file.
#pragma once

#include <string>

#include "config/config.h"
#include "repository/repository.h"
#include "submodule/submodule_files.h"

namespace resident {

// The paths from core.excludesFile and core.attributesFile, or their defaults; absolute.
std::string user_excludes_file(const Config& config, const Repository& repository);
std::string user_attributes_file(const Config& config, const Repository& repository);
std::string system_attributes_file();
// The files by which the user's config affects the submodules of the repository. `config` is the
// repository's.
FilesAroundSubmodules files_around_submodules(const Config& config, const Repository& repository);

}  // namespace resident
