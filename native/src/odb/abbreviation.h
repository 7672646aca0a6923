// Abbreviated object ids, as git prints them for people. An abbreviation is the shortest prefix, of
// at least a given length, that no other object of the repository shares.
//
// Source: git's Documentation/config/core.txt (core.abbrev) and object-name.c.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "hash/object_id.h"
#include "odb/object_database.h"

namespace resident {

// Returns the abbreviation of `id`. The object need not exist.
//
// `length` is core.abbrev. Unset: the length follows from the number of packed objects, as in git.
//
// kUnsupported in two cases:
// - The number that git uses is unknown, and the length depends on it. With a multi-pack-index, git
//   counts some packs twice, depending on which packs it has opened.
// - A multi-pack-index names missing packs. git counts their objects too.
Result<std::string> abbreviate(ObjectDatabase& objects, const ObjectId& id,
                               std::optional<int> length);

}  // namespace resident
