#include "history/tags_of_commits.h"

#include <utility>

#include "history/tag_names.h"

namespace resident {

Result<TagsOfCommits> tags_of_commits(RefStore& refs, ObjectDatabase& objects) {
  RESIDENT_TRY(const auto tags, refs.list_below(std::string(kTags)));
  TagsOfCommits found;
  for (const auto& [ref, id, noted] : tags) {
    if (noted) {
      found[*noted] = ref.substr(kTags.size());
      continue;
    }
    // A commit's type is known without reading it.
    const Result<ObjectInfo> info = objects.read_info(id);
    if (!info.ok()) continue;
    ObjectId commit = id;
    if (info->type != ObjectType::kCommit) {
      Result<ObjectId> peeled = objects.peel_to_commit(id);
      if (!peeled.ok()) continue;
      commit = *peeled;
    }
    found[commit] = ref.substr(kTags.size());
  }
  return found;
}

}  // namespace resident
