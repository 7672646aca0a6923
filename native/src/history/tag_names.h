// TagNames: maps each tagged commit to its best tag by the rules of `git describe`. An annotated
// tag wins over a lightweight tag. The latest tagger date wins among annotated tags; otherwise the
// first name wins. Each entry also has the last name in sort order, which gitstatusd reports.
//
// Like git, it trusts the peeled id in packed-refs or a reftable. It reads a tag object for a loose
// ref. It also reads tag objects for their dates if several annotated tags lead to one commit. Each
// tag object is read once and cached. After a tag was added or removed, a load therefore costs
// little more than a listing of the refs. The object that a tag leads to is not read: it may be
// missing, for instance in a partial clone.
//
// A missing tag object leads only to itself and has no date, like in git. If a tag object is
// damaged, or git would fetch it, only git can describe: see failure(). Each begin() retries the
// unreadable objects.
//
// Source: git's builtin/describe.c.
//
// Threads: only the owner's.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "hash/object_id.h"
#include "odb/object_database.h"
#include "refs/ref_store.h"

namespace resident {

// The prefix of tag refs.
inline constexpr std::string_view kTags = "refs/tags/";

struct TagName {
  std::string ref;  // name after refs/tags/
  bool annotated = false;
  ObjectId id;       // annotated: id of the tag object
  std::string last;  // after refs/tags/: the last name that leads to the commit
};

// The name that git prints. It is the name in the tag object, or the ref's name for a lightweight
// tag. Reads the object. Fails with kUnsupported if the object cannot be read.
Result<std::string> printed_name(const TagName& tag, ObjectDatabase& objects);

class TagNames {
 public:
  using ByCommit = std::unordered_map<ObjectId, TagName>;

  // Loads in steps: begin(), then step() until it returns true. Until then by_commit() keeps its
  // old value. Fails with kUnsupported if the refs cannot be listed. `fetches_missing`: git fetches
  // missing objects.
  Result<void> begin(RefStore& refs, bool fetches_missing);
  // Reads at most about `reads` objects.
  bool step(ObjectDatabase& objects, size_t reads);
  // Loads without steps.
  Result<void> load(RefStore& refs, ObjectDatabase& objects, bool fetches_missing = false);

  // Grows when by_commit() changes.
  uint64_t version() const { return version_; }
  // Objects read so far.
  size_t objects_read() const { return objects_read_; }
  // The key is the object that a tag leads to, through tags of tags. It can be a tree or a blob.
  const ByCommit& by_commit() const { return by_commit_; }
  // kUnsupported: `git describe` may use other names than by_commit(), or fail.
  const std::optional<Error>& failure() const { return failure_; }
  // Whether any tag object could not be read.
  bool lacks_any() const { return !unread_.empty(); }

  // The files whose stat decides load(), existing or not.
  static std::vector<std::string> files(RefStore& refs) {
    return refs.files_below(std::string(kTags));
  }

 private:
  // The object that an id leads to, through tags. It is the id itself if that is no tag, or if a
  // tag of the chain cannot be read.
  struct Target {
    ObjectId id;
    std::optional<uint64_t> tagger_date = {};  // set for a readable tag object
  };
  using Ref = RefStore::Listed;
  using Refs = std::vector<Ref>;  // sorted by name
  using Targets = std::unordered_map<ObjectId, Target>;
  struct Loading {
    Refs refs;
    std::vector<size_t> others;            // indexes in `refs`: new or changed refs
    std::unordered_set<ObjectId> touched;  // targets of `others` and of changed or removed refs
    size_t read = 0;                       // progress in `others`
    size_t named = 0;                      // progress in `refs`
    ByCommit names;                        // best tags of `touched`, from the refs so far
    bool is_first = false;                 // every target counts as touched
    bool fetches_missing = false;
    std::unordered_set<ObjectId> again;   // unreadable before, not retried yet
    std::unordered_set<ObjectId> unread;  // unreadable now
    std::optional<Error> failure;
  };
  Result<void> follow(Target& target, ObjectDatabase& objects, size_t& reads);
  Target read_target(const ObjectId& id, ObjectDatabase& objects, size_t& reads);
  // Returns the cached target, or reads it and counts `reads` down. Returns null if `reads` is 0.
  // Valid until the next read.
  const Target* kept_target(const ObjectId& id, ObjectDatabase& objects, size_t& reads);
  // The target of a ref. The target must be known.
  const ObjectId& target_of(const Ref& ref) const;
  static bool is_same(const Ref& before, Ref& now, const ObjectId& target_before);
  // Returns false if `reads` is used up.
  bool read_others(ObjectDatabase& objects, size_t& reads);
  bool name(const Ref& ref, ObjectDatabase& objects, size_t& reads);
  // Compares annotated tags of one commit. Returns nullopt if `reads` is used up.
  std::optional<bool> is_later(const ObjectId& tag, const ObjectId& than, ObjectDatabase& objects,
                               size_t& reads);
  void finish();
  void drop_targets();

  Refs refs_;  // from the last load
  ByCommit by_commit_;
  Targets targets_;                      // for ids in refs_ without a peeled id; may hold more
  std::unordered_set<ObjectId> unread_;  // tag objects that could not be read
  std::optional<Error> failure_;
  std::unique_ptr<Loading> loading_;
  uint64_t version_ = 0;
  size_t objects_read_ = 0;
};

}  // namespace resident
