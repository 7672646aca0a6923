// Checks whether we support the format of a repository.
#pragma once

#include <string_view>

#include "base/result.h"
#include "config/config.h"
#include "fs/file_system.h"
#include "refs/ref_store.h"
#include "repository/repository.h"

namespace resident {

// kUnsupported: only git can refuse or serve this format.
Result<void> check_format(FileSystem& fs, const Config& config, const Repository& repository);

// How the repository stores its refs. git reads this only from the repository's own config file.
Result<RefStorage> ref_storage_from(const Config& config, const Repository& repository);

// True if git accepts this HEAD content for a repository, with any ref storage.
bool is_head(std::string_view content);

}  // namespace resident
