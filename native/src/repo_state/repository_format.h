// Whether a repository is in a format that we know.
#pragma once

#include <string_view>

#include "base/result.h"
#include "config/config.h"
#include "fs/file_system.h"
#include "refs/ref_store.h"
#include "repository/repository.h"

namespace resident {

// kUnsupported for formats that are git's to refuse or to serve.
Result<void> check_format(FileSystem& fs, const Config& config, const Repository& repository);

// How the repository keeps its refs, which git reads from the config file of the repository only.
Result<RefStorage> ref_storage_from(const Config& config, const Repository& repository);

// Whether git takes a directory with that HEAD for a repository, however it keeps its refs.
bool is_head(std::string_view content);

}  // namespace resident
