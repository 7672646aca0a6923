#include "history/tag_names.h"

#include <limits>
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

Result<TagNames::Target> TagNames::read_target(const ObjectId& id, ObjectDatabase& objects,
                                               size_t& reads) {
  Target target{id, false, {}, 0};
  RESIDENT_TRY(const ObjectInfo info, objects.read_info(id));
  reads -= reads > 0;
  ObjectType type = info.type;
  for (int tags = 0; type == ObjectType::kTag; ++tags) {
    if (tags == kMaxTags) return corrupt("object " + id.hex() + " is a tag of too many tags");
    RESIDENT_TRY(const Object object, objects.read(target.id));
    reads -= reads > 0;
    if (object.type != ObjectType::kTag) return corrupt("object " + target.id.hex() + ": no tag");
    RESIDENT_TRY(TagHeader tag, parse_tag(object.content, objects.algorithm()));
    if (tag.name.empty()) return corrupt("object " + target.id.hex() + ": a tag without a name");
    if (!target.annotated) {
      target.name = std::move(tag.name);
      target.tagger_date = tag.tagger_time;
    }
    target.annotated = true;
    target.id = tag.object;
    type = tag.type;
  }
  return target;
}

void TagNames::note(const std::string& name, const Target& target, ByCommit& by_commit) {
  TagName& named = by_commit[target.id];
  const bool goes_before =
      named.name.empty() || named.annotated < target.annotated ||
      (named.annotated && target.annotated && named.tagger_date < target.tagger_date);
  if (!goes_before) return;
  if (target.annotated) {
    named = {target.name, true, target.tagger_date, target.name != name};
  } else {
    named = {name, false, 0, false};
  }
}

Result<void> TagNames::begin(RefStore& refs) {
  // What was read so far of a load that other refs put an end to is of use still.
  if (loading_) targets_.merge(loading_->targets);
  loading_.reset();
  Result<std::map<std::string, ObjectId>> tags = refs.refs_below(std::string(kTags));
  if (!tags.ok()) return for_git(tags.error().message);
  loading_ = std::make_unique<Loading>();
  loading_->refs = std::move(*tags);
  loading_->next = loading_->refs.begin();
  return {};
}

Result<bool> TagNames::step(ObjectDatabase& objects, size_t reads) {
  Loading& loading = *loading_;
  for (; loading.next != loading.refs.end(); ++loading.next) {
    const auto& [ref, id] = *loading.next;
    auto target = loading.targets.find(id);
    if (target == loading.targets.end()) {
      if (const auto known = targets_.find(id); known != targets_.end()) {
        target = loading.targets.insert(*known).first;
      } else if (reads == 0) {
        return false;
      } else {
        Result<Target> read = read_target(id, objects, reads);
        if (!read.ok()) return for_git(ref + ": " + read.error().message);
        target = loading.targets.emplace(id, std::move(*read)).first;
      }
    }
    note(ref.substr(kTags.size()), target->second, loading.by_commit);
  }
  targets_ = std::move(loading.targets);
  if (by_commit_ != loading.by_commit) {
    by_commit_ = std::move(loading.by_commit);
    ++version_;
  }
  loading_.reset();
  return true;
}

Result<void> TagNames::load(RefStore& refs, ObjectDatabase& objects) {
  RESIDENT_CHECK(begin(refs));
  RESIDENT_TRY([[maybe_unused]] const bool all,
               step(objects, std::numeric_limits<size_t>::max()));
  return {};
}

}  // namespace resident
