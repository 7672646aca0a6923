// count_reachable_objects: how many objects are reached from some, these included: what a clone of
// refs that name these would be sent, and what `git rev-list --count --objects` counts.
//
// The bitmap of a commit stands for all that the commit reaches. What has none is walked: commits
// to their parents and trees, trees to what they name, tags to what they lead to. A gitlink's
// commit is another repository's, and does not count.
//
// Threads: the caller's.
#pragma once

#include <span>

#include "base/result.h"
#include "odb/object_database.h"

namespace resident {

// `tips` are objects of any type. Bitmaps that cannot be used, or whose checksum is another one,
// are passed over. Not for shallow history. Errors as ObjectDatabase::read(), and where the bitmaps
// turn out to be damaged while they are read.
Result<size_t> count_reachable_objects(ObjectDatabase& objects, std::span<const ObjectId> tips);

}  // namespace resident
