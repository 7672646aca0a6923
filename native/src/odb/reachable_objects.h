// count_reachable_objects: counts the objects that the tips reach, the tips included. A clone of
// refs to these tips would receive as many objects. `git rev-list --count --objects` gives the same
// count.
//
// If a commit has a bitmap, the bitmap gives all its objects. Other objects are walked: commits to
// parents and trees, trees to their entries, tags to their targets. A gitlink's commit belongs to
// another repository and is not counted.
//
// Threads: the caller's.
#pragma once

#include <span>

#include "base/result.h"
#include "odb/object_database.h"

namespace resident {

// `tips` are objects of any type. Bitmaps that are unusable or have a wrong checksum are ignored.
// Do not use this for shallow history. Errors: as ObjectDatabase::read(), and if the bitmaps turn
// out to be damaged during the count.
Result<size_t> count_reachable_objects(ObjectDatabase& objects, std::span<const ObjectId> tips);

}  // namespace resident
