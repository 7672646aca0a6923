// Loose objects: files "<objects>/<2 hex digits>/<the others>", each a zlib stream of
// "<type> <size>\0<content>".
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "hash/object_id.h"
#include "odb/object.h"

namespace resident {

std::string loose_object_path(const std::string& objects_dir, const ObjectId& id);

// kNotFound where there is no such file, kCorrupt where its content is not an object of the size
// that it claims, kUnsupported where it is larger than `limit` bytes. The id is not verified. The
// message names the file.
Result<Object> read_loose_object(const std::string& path, uint64_t limit);

}  // namespace resident
