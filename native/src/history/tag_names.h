// TagNames: which tag names which commit, by the rules of `git describe`: an annotated tag goes
// before a lightweight one, of annotated ones the one with the latest tagger date, else the first
// by name. And the last one by name, which gitstatusd tells.
//
// Like git it believes what packed-refs or a reftable says that a tag leads to. Tag objects are
// read of loose refs, and for their dates where several lead to one commit. One that was read for
// that is not read again, so that loading after a tag came or went costs a look at the refs: what
// other refs lead to is kept as it is. What tags lead to is not looked at: it may be missing, as in
// a partial clone.
//
// A tag object that is missing leads to nothing else, and has no date: git goes on, too. Where one
// is damaged, or git would fetch it, only git can describe; see failure(). Those that could not be
// read are tried again with each begin().
//
// Source: git's builtin/describe.c.
//
// Threads: its owner's.
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

// Where tags are.
inline constexpr std::string_view kTags = "refs/tags/";

struct TagName {
  std::string ref;  // behind refs/tags/
  bool annotated = false;
  ObjectId id;       // of the tag object of an annotated one
  std::string last;  // behind refs/tags/: the last by name that leads there
};

// As git prints the tag: the name that the tag object has; of a lightweight one, that of its ref.
// Reads the object; kUnsupported where it cannot be read.
Result<std::string> printed_name(const TagName& tag, ObjectDatabase& objects);

class TagNames {
 public:
  using ByCommit = std::unordered_map<ObjectId, TagName>;

  // In steps: begin(), then step() until it is true. Until then by_commit() is as it was.
  // kUnsupported where the refs cannot be listed. `fetches_missing`: git fetches objects that are
  // missing.
  Result<void> begin(RefStore& refs, bool fetches_missing);
  // Reads about as many objects.
  bool step(ObjectDatabase& objects, size_t reads);
  // All at once.
  Result<void> load(RefStore& refs, ObjectDatabase& objects, bool fetches_missing = false);

  // Grows when by_commit() becomes another one.
  uint64_t version() const { return version_; }
  // Objects read so far.
  size_t objects_read() const { return objects_read_; }
  // By what a tag leads to, through tags of tags; trees and blobs among these.
  const ByCommit& by_commit() const { return by_commit_; }
  // kUnsupported: `git describe` may know other names than by_commit(), or fail.
  const std::optional<Error>& failure() const { return failure_; }
  // Whether a tag object could not be read.
  bool lacks_any() const { return !unread_.empty(); }

  // The files whose stat decides load(), existing or not.
  static std::vector<std::string> files(RefStore& refs) {
    return refs.files_below(std::string(kTags));
  }

 private:
  // What an object leads to, through tags; itself where it is none, or one of them cannot be read.
  struct Target {
    ObjectId id;
    std::optional<uint64_t> tagger_date = {};  // of a tag object that can be read
  };
  using Ref = RefStore::Listed;
  using Refs = std::vector<Ref>;  // by name
  using Targets = std::unordered_map<ObjectId, Target>;
  struct Loading {
    Refs refs;
    std::vector<size_t> others;            // in `refs`: new, or leading elsewhere
    std::unordered_set<ObjectId> touched;  // what these lead to, and what those did that are gone
    size_t read = 0;                       // of `others`
    size_t named = 0;                      // of `refs`
    ByCommit names;                        // of what is touched, by refs up to there
    bool is_first = false;                 // everything is touched
    bool fetches_missing = false;
    std::unordered_set<ObjectId> again;   // could not be read before, and were not tried yet
    std::unordered_set<ObjectId> unread;  // cannot be read
    std::optional<Error> failure;
  };
  Result<void> follow(Target& target, ObjectDatabase& objects, size_t& reads);
  Target read_target(const ObjectId& id, ObjectDatabase& objects, size_t& reads);
  // As read before, or now; null: `reads` are used up. It counts them down. Valid until the next
  // one is read.
  const Target* kept_target(const ObjectId& id, ObjectDatabase& objects, size_t& reads);
  // What a ref leads to of which that is known.
  const ObjectId& target_of(const Ref& ref) const;
  static bool is_same(const Ref& before, Ref& now, const ObjectId& target_before);
  // False: `reads` are used up.
  bool read_others(ObjectDatabase& objects, size_t& reads);
  bool name(const Ref& ref, ObjectDatabase& objects, size_t& reads);
  // Of annotated tags of one commit; nullopt: `reads` are used up.
  std::optional<bool> is_later(const ObjectId& tag, const ObjectId& than, ObjectDatabase& objects,
                               size_t& reads);
  void finish();
  void drop_targets();

  Refs refs_;  // when last loaded
  ByCommit by_commit_;
  Targets targets_;  // of ids in refs_ that have nothing written beside them, and of some more
  std::unordered_set<ObjectId> unread_;  // tag objects that could not be read
  std::optional<Error> failure_;
  std::unique_ptr<Loading> loading_;
  uint64_t version_ = 0;
  size_t objects_read_ = 0;
};

}  // namespace resident
