// Abbreviated object ids, as git prints them for people: the shortest prefix of at least a given
// length that no other object of the repository has.
//
// Source: git's Documentation/config/core.txt (core.abbrev) and object-name.c.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "hash/object_id.h"
#include "odb/object_database.h"

namespace resident {

// `length` is core.abbrev; unset: as long as the number of packed objects asks for. The object need
// not exist. kUnsupported where that number is git's own secret: with a multi-pack index git counts
// the packs that it happens to have opened twice, and the length can depend on it; and where such
// an index names packs that are not there, whose objects git takes into account too.
Result<std::string> abbreviate(ObjectDatabase& objects, const ObjectId& id,
                               std::optional<int> length);

}  // namespace resident
