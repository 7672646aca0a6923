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

Result<std::string> printed_name(const TagName& tag, ObjectDatabase& objects) {
  if (!tag.annotated) return tag.ref;
  const auto failed = [&](const std::string& what) {
    return for_git(std::string(kTags) + tag.ref + ": " + what);
  };
  const Result<Object> object = objects.read(tag.id);
  if (!object.ok()) return failed(object.error().message);
  if (object->type != ObjectType::kTag) return failed("no tag");
  Result<TagHeader> header = parse_tag(object->content, objects.algorithm());
  if (!header.ok()) return failed(header.error().message);
  if (header->name.empty()) return failed("a tag without a name");
  return std::move(header->name);
}

Result<TagNames::Target> TagNames::read_target(const ObjectId& id, ObjectDatabase& objects,
                                               size_t& reads) {
  const auto count = [&] {
    ++objects_read_;
    reads -= reads > 0;
  };
  Target target{id, false, 0};
  count();
  RESIDENT_TRY(const ObjectInfo info, objects.read_info(id));
  ObjectType type = info.type;
  for (int tags = 0; type == ObjectType::kTag; ++tags) {
    if (tags == kMaxTags) return corrupt("object " + id.hex() + " is a tag of too many tags");
    count();
    RESIDENT_TRY(const Object object, objects.read(target.id));
    if (object.type != ObjectType::kTag) return corrupt("object " + target.id.hex() + ": no tag");
    RESIDENT_TRY(const TagHeader tag, parse_tag(object.content, objects.algorithm()));
    if (!target.annotated) target.tagger_date = tag.tagger_time;
    target.annotated = true;
    target.id = tag.object;
    type = tag.type;
  }
  return target;
}

Result<std::optional<TagNames::Target>> TagNames::kept_target(const ObjectId& id,
                                                              ObjectDatabase& objects,
                                                              size_t& reads) {
  const auto known = targets_.find(id);
  if (known != targets_.end()) return std::optional(known->second);
  if (reads == 0) return std::optional<Target>();
  RESIDENT_TRY(const Target target, read_target(id, objects, reads));
  targets_.emplace(id, target);
  return std::optional(target);
}

const ObjectId& TagNames::target_of(const Ref& ref) const {
  return ref.peeled ? *ref.peeled : targets_.at(ref.id).id;
}

// What is no longer written beside a ref, because it is loose by now, is kept as known.
bool TagNames::is_same(const Ref& before, Ref& now, const ObjectId& target_before) {
  if (before.id != now.id) return false;
  if (!now.peeled) now.peeled = before.peeled;
  return !now.peeled || *now.peeled == target_before;
}

Result<void> TagNames::begin(RefStore& refs) {
  loading_.reset();
  Result<Refs> listed = refs.list_below(std::string(kTags));
  if (!listed.ok()) return for_git(listed.error().message);
  loading_ = std::make_unique<Loading>();
  loading_->refs = std::move(*listed);
  size_t now = 0;
  for (const Ref& before : refs_) {
    while (now < loading_->refs.size() && loading_->refs[now].name < before.name) {
      loading_->others.push_back(now++);
    }
    const bool is_there = now < loading_->refs.size() && loading_->refs[now].name == before.name;
    const ObjectId& target = target_of(before);
    if (is_there && is_same(before, loading_->refs[now], target)) {
      ++now;
      continue;
    }
    loading_->touched.insert(target);
    if (is_there) loading_->others.push_back(now++);
  }
  while (now < loading_->refs.size()) loading_->others.push_back(now++);
  return {};
}

Result<bool> TagNames::read_others(ObjectDatabase& objects, size_t& reads) {
  for (; loading_->read < loading_->others.size(); ++loading_->read) {
    const Ref& ref = loading_->refs[loading_->others[loading_->read]];
    if (!ref.peeled) {
      const auto target = kept_target(ref.id, objects, reads);
      if (!target.ok()) return for_git(ref.name + ": " + target.error().message);
      if (!*target) return false;
    }
    loading_->touched.insert(target_of(ref));
  }
  return true;
}

Result<bool> TagNames::name(const Ref& ref, ObjectDatabase& objects, size_t& reads) {
  const ObjectId& target = target_of(ref);
  if (!loading_->touched.contains(target)) return true;
  const TagName named{ref.name.substr(kTags.size()), target != ref.id, ref.id};
  const auto [known, is_new] = loading_->names.try_emplace(target, named);
  if (is_new || known->second.annotated > named.annotated) return true;
  bool goes_before = known->second.annotated < named.annotated;
  if (known->second.annotated && known->second.id != named.id) {
    const auto first = kept_target(known->second.id, objects, reads);
    if (!first.ok()) return for_git(known->second.ref + ": " + first.error().message);
    const auto second = kept_target(named.id, objects, reads);
    if (!second.ok()) return for_git(named.ref + ": " + second.error().message);
    if (!*first || !*second) return false;
    goes_before = (*first)->tagger_date < (*second)->tagger_date;
  }
  if (goes_before) known->second = named;
  return true;
}

Result<bool> TagNames::step(ObjectDatabase& objects, size_t reads) {
  RESIDENT_TRY(const bool are_read, read_others(objects, reads));
  if (!are_read) return false;
  if (!loading_->touched.empty()) {
    for (; loading_->named < loading_->refs.size(); ++loading_->named) {
      RESIDENT_TRY(const bool is_named, name(loading_->refs[loading_->named], objects, reads));
      if (!is_named) return false;
    }
  }
  finish();
  return true;
}

void TagNames::finish() {
  const std::unique_ptr<Loading> loaded = std::move(loading_);
  refs_ = std::move(loaded->refs);
  if (loaded->touched.empty()) return;
  for (const ObjectId& id : loaded->touched) by_commit_.erase(id);
  by_commit_.merge(loaded->names);
  ++version_;
  drop_targets();
}

// Of tags that are no more.
void TagNames::drop_targets() {
  constexpr size_t kFew = 1000;
  if (targets_.size() <= 2 * refs_.size() + kFew) return;
  Targets used;
  for (const Ref& ref : refs_) {
    if (const auto known = targets_.find(ref.id); known != targets_.end()) used.insert(*known);
  }
  targets_ = std::move(used);
}

Result<void> TagNames::load(RefStore& refs, ObjectDatabase& objects) {
  RESIDENT_CHECK(begin(refs));
  RESIDENT_TRY([[maybe_unused]] const bool all, step(objects, std::numeric_limits<size_t>::max()));
  return {};
}

}  // namespace resident
