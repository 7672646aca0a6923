// A loose ref: a file "<hex id>" or "ref: <name of another ref>", or a symbolic link to another.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "fs/file_system.h"
#include "hash/object_id.h"
#include "refs/ref_backend.h"

namespace resident {

// nullopt where there is no such file, or a directory. kCorrupt where it is neither form.
Result<std::optional<RawRef>> read_loose_ref(FileSystem& fs, const std::string& path,
                                             HashAlgorithm algorithm);
// The same of a file that was just listed in the directory of `path`, which is open.
Result<std::optional<RawRef>> read_listed_ref(FileSystem& fs, const Directory& directory,
                                              const DirectoryListing::Entry& file,
                                              const std::string& path, HashAlgorithm algorithm);

}  // namespace resident
