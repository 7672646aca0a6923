#include "odb/reachable_objects.h"

#include <limits>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "object/commit.h"
#include "object/tree.h"
#include "odb/bit_set.h"
#include "odb/reachability_bitmaps.h"

namespace resident {

namespace {

using Bitmaps = std::shared_ptr<const ReachabilityBitmaps>;

// Null: no sound bitmaps. Bitmaps do not know replaced objects.
Bitmaps sound_bitmaps(ObjectDatabase& objects) {
  if (objects.has_replacements()) return nullptr;
  Bitmaps bitmaps = objects.bitmaps();
  if (!bitmaps) return nullptr;
  ReachabilityBitmaps::Verification verification(*bitmaps);
  while (!bitmaps->is_verified()) (void)verification.step(std::numeric_limits<size_t>::max());
  return bitmaps->is_verified() == true ? bitmaps : nullptr;
}

class ReachableObjects {
 public:
  ReachableObjects(ObjectDatabase& objects, Bitmaps bitmaps)
      : objects_(objects), bitmaps_(std::move(bitmaps)), packed_(bitmaps_ ? bitmaps_->size() : 0) {}

  // Adds all objects that the tip reaches if it has a bitmap.
  Result<void> add_by_bitmap(const ObjectId& tip) {
    if (!bitmaps_) return {};
    RESIDENT_TRY(const std::optional<uint32_t> position, bitmaps_->position_of(tip));
    if (!position || packed_.test(*position)) return {};
    RESIDENT_TRY([[maybe_unused]] const bool has_one, take_bitmap(tip));
    return {};
  }
  Result<void> add(const ObjectId& tip) {
    RESIDENT_TRY(const bool is_new, reach(tip));
    if (!is_new) return {};
    RESIDENT_TRY(const ObjectInfo info, objects_.read_info(tip));
    pending_.push_back({tip, info.type});
    while (!pending_.empty()) {
      const Pending next = pending_.back();
      pending_.pop_back();
      RESIDENT_CHECK(visit(next));
    }
    return {};
  }
  Result<size_t> count() const {
    if (bitmaps_ && !bitmaps_->is_whole()) {
      return corrupt("bitmaps were shortened while they were read");
    }
    return packed_.count() + others_.size();
  }

 private:
  // A reached object whose own entries or parents are not followed yet.
  struct Pending {
    ObjectId id;
    ObjectType type;
  };

  // False: the object was reached before. Its objects are counted already or are pending.
  Result<bool> reach(const ObjectId& id) {
    std::optional<uint32_t> position;
    if (bitmaps_) {
      RESIDENT_TRY(position, bitmaps_->position_of(id));
    }
    if (!position) return others_.insert(id).second;
    const bool is_new = !packed_.test(*position);
    packed_.set(*position);
    return is_new;
  }
  Result<void> follow(const ObjectId& id, ObjectType type) {
    RESIDENT_TRY(const bool is_new, reach(id));
    if (is_new && type != ObjectType::kBlob) pending_.push_back({id, type});
    return {};
  }
  Result<bool> take_bitmap(const ObjectId& commit) {
    RESIDENT_TRY(const std::optional<BitSet> reached, bitmaps_->reached_from(commit));
    if (reached) packed_ |= *reached;
    return reached.has_value();
  }

  Result<void> visit(const Pending& object) {
    switch (object.type) {
      case ObjectType::kCommit:
        return visit_commit(object.id);
      case ObjectType::kTree:
        return visit_tree(object.id);
      case ObjectType::kTag:
        return visit_tag(object.id);
      case ObjectType::kBlob:
        break;
    }
    return {};
  }
  Result<void> visit_commit(const ObjectId& id) {
    if (bitmaps_) {
      RESIDENT_TRY(const bool has_one, take_bitmap(id));
      if (has_one) return {};
    }
    RESIDENT_TRY(const CommitHeader commit, objects_.read_commit_header(id));
    RESIDENT_CHECK(follow(commit.tree, ObjectType::kTree));
    for (const ObjectId& parent : commit.parents) {
      RESIDENT_CHECK(follow(parent, ObjectType::kCommit));
    }
    return {};
  }
  Result<void> visit_tree(const ObjectId& id) {
    RESIDENT_TRY(const std::string content, objects_.read_tree(id));
    for (TreeIterator entries(content, objects_.algorithm());;) {
      RESIDENT_TRY(const bool more, entries.next());
      if (!more) return {};
      const TreeEntry& entry = entries.entry();
      if (entry.mode == kModeGitlink) continue;
      RESIDENT_CHECK(follow(entry.id, entry.is_tree() ? ObjectType::kTree : ObjectType::kBlob));
    }
  }
  Result<void> visit_tag(const ObjectId& id) {
    RESIDENT_TRY(const Object object, objects_.read(id));
    RESIDENT_TRY(const TagHeader tag, parse_tag(object.content, objects_.algorithm()));
    return follow(tag.object, tag.type);
  }

  ObjectDatabase& objects_;
  const Bitmaps bitmaps_;
  BitSet packed_;                        // reached objects that have a bit
  std::unordered_set<ObjectId> others_;  // all other reached objects
  std::vector<Pending> pending_;
};

}  // namespace

Result<size_t> count_reachable_objects(ObjectDatabase& objects, std::span<const ObjectId> tips) {
  ReachableObjects reached(objects, sound_bitmaps(objects));
  // First use the bitmaps of the tips: then no walk repeats their objects.
  for (const ObjectId& tip : tips) RESIDENT_CHECK(reached.add_by_bitmap(tip));
  for (const ObjectId& tip : tips) RESIDENT_CHECK(reached.add(tip));
  return reached.count();
}

}  // namespace resident
