#include "history/tag_names.h"

#include <string_view>
#include <utility>

#include "object/commit.h"

namespace resident {

namespace {

// Tags of tags are rare and short; a longer chain can only be a damaged one.
constexpr int kMaxTags = 64;

Error for_git(const std::string& what) {
  return Error{ErrorCode::kUnsupported, what};
}

}  // namespace

Result<TagNames::Target> TagNames::read_target(const ObjectId& id, ObjectDatabase& objects) {
  Target target{id, false, {}, 0};
  for (int tags = 0; tags <= kMaxTags; ++tags) {
    RESIDENT_TRY(const ObjectInfo info, objects.read_info(target.id));
    if (info.type != ObjectType::kTag) return target;
    RESIDENT_TRY(const Object object, objects.read(target.id));
    RESIDENT_TRY(const TagHeader tag, parse_tag(object.content, objects.algorithm()));
    if (!target.annotated) {
      target.name = tag.name;
      target.tagger_date = tag.tagger_time;
    }
    target.annotated = true;
    target.id = tag.object;
  }
  return corrupt("object " + id.hex() + " is a tag of too many tags");
}

Result<void> TagNames::load(RefStore& refs, ObjectDatabase& objects) {
  by_commit_.clear();
  Result<std::map<std::string, ObjectId>> tags = refs.refs_below(std::string(kTags));
  if (!tags.ok()) return for_git(tags.error().message);
  std::unordered_map<ObjectId, Target> targets;
  for (const auto& [ref, id] : *tags) {
    if (const auto known = targets_.find(id); known != targets_.end()) {
      targets.insert(*known);
    } else if (!targets.contains(id)) {
      Result<Target> target = read_target(id, objects);
      if (!target.ok()) return for_git(ref + ": " + target.error().message);
      targets.emplace(id, std::move(*target));
    }
    const Target& target = targets.at(id);
    const std::string name = ref.substr(kTags.size());
    if (target.annotated && target.name != name) {
      return for_git(ref + ": its tag is called " + target.name);
    }
    TagName& named = by_commit_[target.id];
    const bool goes_before =
        named.name.empty() || named.annotated < target.annotated ||
        (named.annotated && target.annotated && named.tagger_date < target.tagger_date);
    if (goes_before) named = {name, target.annotated, target.tagger_date};
  }
  targets_ = std::move(targets);
  return {};
}

}  // namespace resident
