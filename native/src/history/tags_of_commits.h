// Which tag stands on a commit, annotated or not.
#pragma once

#include <string>
#include <unordered_map>

#include "base/result.h"
#include "hash/object_id.h"
#include "odb/object_database.h"
#include "refs/ref_store.h"

namespace resident {

// The last tag by name ("v1.0") that leads to each tagged commit. Tags that lead to none, or cannot
// be read, are passed over, but for packed ones: what these lead to stands beside them. An error
// where the refs cannot be listed.
using TagsOfCommits = std::unordered_map<ObjectId, std::string>;
Result<TagsOfCommits> tags_of_commits(RefStore& refs, ObjectDatabase& objects);

}  // namespace resident
