// A loose ref: a file with "<hex id>" or "ref: <other ref's name>", or a symbolic link to another
// ref.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "fs/file_system.h"
#include "hash/object_id.h"
#include "refs/ref_backend.h"

namespace resident {

// nullopt: the file is missing or is a directory. kCorrupt: the content has neither form.
Result<std::optional<RawRef>> read_loose_ref(FileSystem& fs, const std::string& path,
                                             HashAlgorithm algorithm);
// Reads a file that was just listed in `directory`. The path of the file is `path`.
Result<std::optional<RawRef>> read_listed_ref(FileSystem& fs, const Directory& directory,
                                              const DirectoryListing::Entry& file,
                                              const std::string& path, HashAlgorithm algorithm);

}  // namespace resident
