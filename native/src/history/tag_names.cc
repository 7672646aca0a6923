#include "history/tag_names.h"

#include <limits>
#include <string_view>
#include <utility>

#include "object/commit.h"

namespace resident {

namespace {

// Tags of tags are rare and short. A longer chain can only be damaged.
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

// Follows tags as far as they can be read.
Result<void> TagNames::follow(Target& target, ObjectDatabase& objects, size_t& reads) {
  const auto count = [&] {
    ++objects_read_;
    reads -= reads > 0;
  };
  count();
  RESIDENT_TRY(const ObjectInfo info, objects.read_info(target.id));
  ObjectType type = info.type;
  for (int tags = 0; type == ObjectType::kTag; ++tags) {
    if (tags == kMaxTags) return corrupt("a tag of too many tags");
    count();
    RESIDENT_TRY(const Object object, objects.read(target.id));
    if (object.type != ObjectType::kTag) return corrupt("object " + target.id.hex() + ": no tag");
    RESIDENT_TRY(const TagHeader tag, parse_tag(object.content, objects.algorithm()));
    if (tags == 0) target.tagger_date = tag.tagger_time;
    target.id = tag.object;
    type = tag.type;
  }
  return {};
}

TagNames::Target TagNames::read_target(const ObjectId& id, ObjectDatabase& objects, size_t& reads) {
  Target target{id};
  const Result<void> followed = follow(target, objects, reads);
  if (followed.ok()) return target;
  loading_->unread.insert(id);
  const bool git_goes_on =
      followed.error().code == ErrorCode::kNotFound && !loading_->fetches_missing;
  if (!git_goes_on)
    loading_->failure = for_git("tag " + id.hex() + ": " + followed.error().message);
  target.id = id;
  return target;
}

const TagNames::Target* TagNames::kept_target(const ObjectId& id, ObjectDatabase& objects,
                                              size_t& reads) {
  const auto known = targets_.find(id);
  if (known != targets_.end() && !loading_->again.contains(id)) return &known->second;
  if (reads == 0) return nullptr;
  loading_->again.erase(id);
  return &targets_.insert_or_assign(id, read_target(id, objects, reads)).first->second;
}

const ObjectId& TagNames::target_of(const Ref& ref) const {
  return ref.peeled ? *ref.peeled : targets_.at(ref.id).id;
}

// A ref that became loose has no peeled id any more: the known peeled id is kept.
bool TagNames::is_same(const Ref& before, Ref& now, const ObjectId& target_before) {
  if (before.id != now.id) return false;
  if (!now.peeled) now.peeled = before.peeled;
  return !now.peeled || *now.peeled == target_before;
}

Result<void> TagNames::begin(RefStore& refs, bool fetches_missing) {
  loading_.reset();
  Result<Refs> listed = refs.list_below(std::string(kTags));
  if (!listed.ok()) return for_git(listed.error().message);
  loading_ = std::make_unique<Loading>();
  loading_->refs = std::move(*listed);
  loading_->is_first = refs_.empty();
  loading_->fetches_missing = fetches_missing;
  loading_->again = unread_;
  size_t now = 0;
  for (const Ref& before : refs_) {
    while (now < loading_->refs.size() && loading_->refs[now].name < before.name) {
      loading_->others.push_back(now++);
    }
    const bool is_there = now < loading_->refs.size() && loading_->refs[now].name == before.name;
    const ObjectId& target = target_of(before);
    const bool was_read = !unread_.contains(before.id);
    if (is_there && was_read && is_same(before, loading_->refs[now], target)) {
      ++now;
      continue;
    }
    loading_->touched.insert(target);
    // by_commit_ may use the tag's own id, from when it was unreadable. An unfinished load may have
    // read the tag since then.
    if (!was_read) loading_->touched.insert(before.id);
    if (is_there) loading_->others.push_back(now++);
  }
  while (now < loading_->refs.size()) loading_->others.push_back(now++);
  return {};
}

bool TagNames::read_others(ObjectDatabase& objects, size_t& reads) {
  for (; loading_->read < loading_->others.size(); ++loading_->read) {
    const Ref& ref = loading_->refs[loading_->others[loading_->read]];
    if (!ref.peeled && !kept_target(ref.id, objects, reads)) return false;
    if (!loading_->is_first) loading_->touched.insert(target_of(ref));
  }
  return true;
}

std::optional<bool> TagNames::is_later(const ObjectId& tag, const ObjectId& than,
                                       ObjectDatabase& objects, size_t& reads) {
  const Target* first = kept_target(than, objects, reads);
  if (!first) return std::nullopt;
  const std::optional<uint64_t> date = first->tagger_date;
  if (!date) return true;
  const Target* second = kept_target(tag, objects, reads);
  if (!second) return std::nullopt;
  return second->tagger_date && *date < *second->tagger_date;
}

bool TagNames::name(const Ref& ref, ObjectDatabase& objects, size_t& reads) {
  const ObjectId& target = target_of(ref);
  if (!loading_->is_first && !loading_->touched.contains(target)) return true;
  const std::string name = ref.name.substr(kTags.size());
  const bool annotated = target != ref.id;
  const auto [known, is_new] =
      loading_->names.try_emplace(target, TagName{name, annotated, ref.id, name});
  if (is_new) return true;
  TagName& best = known->second;
  bool goes_before = best.annotated < annotated;
  if (best.annotated && annotated && best.id != ref.id) {
    const std::optional<bool> later = is_later(ref.id, best.id, objects, reads);
    if (!later) return false;
    goes_before = *later;
  }
  if (goes_before) best = {name, annotated, ref.id, {}};
  best.last = name;
  return true;
}

bool TagNames::step(ObjectDatabase& objects, size_t reads) {
  if (!read_others(objects, reads)) return false;
  if (loading_->is_first || !loading_->touched.empty()) {
    for (; loading_->named < loading_->refs.size(); ++loading_->named) {
      if (!name(loading_->refs[loading_->named], objects, reads)) return false;
    }
  }
  finish();
  return true;
}

void TagNames::finish() {
  const std::unique_ptr<Loading> loaded = std::move(loading_);
  refs_ = std::move(loaded->refs);
  // No ref needed these objects any more.
  for (const ObjectId& id : loaded->again) targets_.erase(id);
  unread_ = std::move(loaded->unread);
  failure_ = std::move(loaded->failure);
  if (loaded->names.empty() && loaded->touched.empty()) return;
  for (const ObjectId& id : loaded->touched) by_commit_.erase(id);
  by_commit_.merge(loaded->names);
  ++version_;
  drop_targets();
}

// Drops the targets of removed tags.
void TagNames::drop_targets() {
  constexpr size_t kFew = 1000;
  if (targets_.size() <= 2 * refs_.size() + kFew) return;
  Targets used;
  for (const Ref& ref : refs_) {
    if (const auto known = targets_.find(ref.id); known != targets_.end()) used.insert(*known);
  }
  targets_ = std::move(used);
}

Result<void> TagNames::load(RefStore& refs, ObjectDatabase& objects, bool fetches_missing) {
  RESIDENT_CHECK(begin(refs, fetches_missing));
  (void)step(objects, std::numeric_limits<size_t>::max());
  return {};
}

}  // namespace resident
