// The files of the user and of the system that hold in every worktree. "" where there is none.
#pragma once

#include <string>

#include "config/config.h"
#include "repository/repository.h"
#include "submodule/submodule_files.h"

namespace resident {

// core.excludesFile and core.attributesFile, or what stands in for them; absolute.
std::string user_excludes_file(const Config& config, const Repository& repository);
std::string user_attributes_file(const Config& config, const Repository& repository);
std::string system_attributes_file();
// By what the user's config decides in the submodules of the repository, whose config this is.
FilesAroundSubmodules files_around_submodules(const Config& config, const Repository& repository);

}  // namespace resident
