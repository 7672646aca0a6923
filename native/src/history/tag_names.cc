#include "history/tag_names.h"

#include <limits>
#include <string_view>
#include <unordered_set>
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
  loading_.reset();
  Result<Refs> listed = refs.refs_below(std::string(kTags));
  if (!listed.ok()) return for_git(listed.error().message);
  loading_ = std::make_unique<Loading>();
  loading_->refs = std::move(*listed);
  auto before = refs_.cbegin();
  auto now = loading_->refs.cbegin();
  while (before != refs_.cend() || now != loading_->refs.cend()) {
    const bool is_gone =
        now == loading_->refs.cend() || (before != refs_.cend() && before->first < now->first);
    const bool is_new =
        before == refs_.cend() || (now != loading_->refs.cend() && now->first < before->first);
    if (is_gone || is_new || before->second != now->second) {
      if (!is_new) loading_->gone.push_back(before->second);
      if (!is_gone) loading_->others.push_back(now);
    }
    if (!is_new) ++before;
    if (!is_gone) ++now;
  }
  return {};
}

Result<bool> TagNames::step(ObjectDatabase& objects, size_t reads) {
  Loading& loading = *loading_;
  for (; loading.looked_at < loading.others.size(); ++loading.looked_at) {
    const auto& [ref, id] = *loading.others[loading.looked_at];
    if (targets_.contains(id)) continue;
    if (reads == 0) return false;
    Result<Target> target = read_target(id, objects, reads);
    if (!target.ok()) return for_git(ref + ": " + target.error().message);
    targets_.emplace(id, std::move(*target));
  }
  finish();
  return true;
}

void TagNames::finish() {
  std::unordered_set<ObjectId> touched;
  for (const ObjectId& id : loading_->gone) touched.insert(targets_.at(id).id);
  for (const auto& other : loading_->others) touched.insert(targets_.at(other->second).id);
  refs_ = std::move(loading_->refs);
  loading_.reset();
  if (touched.empty()) return;
  for (const ObjectId& id : touched) by_commit_.erase(id);
  for (const auto& [ref, id] : refs_) {
    const Target& target = targets_.at(id);
    if (touched.contains(target.id)) note(ref.substr(kTags.size()), target, by_commit_);
  }
  ++version_;
  drop_targets();
}

// Of tags that are no more.
void TagNames::drop_targets() {
  constexpr size_t kFew = 1000;
  if (targets_.size() <= 2 * refs_.size() + kFew) return;
  Targets used;
  for (const auto& [ref, id] : refs_) used.insert(*targets_.find(id));
  targets_ = std::move(used);
}

Result<void> TagNames::load(RefStore& refs, ObjectDatabase& objects) {
  RESIDENT_CHECK(begin(refs));
  RESIDENT_TRY([[maybe_unused]] const bool all, step(objects, std::numeric_limits<size_t>::max()));
  return {};
}

}  // namespace resident
