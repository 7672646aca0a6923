// Loose objects: files "<objects>/<2 hex digits>/<remaining digits>". Each is a zlib stream of
// "<type> <size>\0<content>".
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "fs/file_system.h"
#include "hash/object_id.h"
#include "odb/object.h"

namespace resident {

std::string loose_object_path(const std::string& objects_dir, const ObjectId& id);

// kNotFound: no such file. kCorrupt: the content is not an object of the size in its header.
// kUnsupported: the object is larger than `limit` bytes. The id is not verified. The error message
// names the file.
Result<Object> read_loose_object(FileSystem& fs, const std::string& path, uint64_t limit);

}  // namespace resident
