// TagNames: which tag names which commit, by the rules of `git describe`: an annotated tag goes
// before a lightweight one, of annotated ones the one with the latest tagger date, else the first
// by name.
//
// Like git it believes what packed-refs or a reftable says that a tag leads to. Tag objects are
// read of loose refs, and for their dates where several lead to one commit. One that was read for
// that is not read again, so that loading after a tag came or went costs a look at the refs: what
// other refs lead to is kept as it is. What tags lead to is not looked at: it may be missing, as in
// a partial clone.
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
  ObjectId id;  // of the tag object of an annotated one
};

// As git prints the tag: the name that the tag object has; of a lightweight one, that of its ref.
// Reads the object; kUnsupported where it cannot be read.
Result<std::string> printed_name(const TagName& tag, ObjectDatabase& objects);

class TagNames {
 public:
  using ByCommit = std::unordered_map<ObjectId, TagName>;

  // In steps: begin(), then step() until it is true. Until then by_commit() is as it was.
  // kUnsupported where only git can tell: refs that cannot be listed, a tag object that has to be
  // read and cannot be.
  Result<void> begin(RefStore& refs);
  // Reads about as many objects.
  Result<bool> step(ObjectDatabase& objects, size_t reads);
  // All at once.
  Result<void> load(RefStore& refs, ObjectDatabase& objects);

  // Grows when by_commit() becomes another one.
  uint64_t version() const { return version_; }
  // Objects read so far.
  size_t objects_read() const { return objects_read_; }
  // By what a tag leads to, through tags of tags; trees and blobs among these.
  const ByCommit& by_commit() const { return by_commit_; }

  // The files whose stat decides load(), existing or not.
  static std::vector<std::string> files(RefStore& refs) {
    return refs.files_below(std::string(kTags));
  }

 private:
  // What an object leads to, through tags; itself where it is none.
  struct Target {
    ObjectId id;
    bool annotated = false;
    uint64_t tagger_date = 0;
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
  };
  Result<Target> read_target(const ObjectId& id, ObjectDatabase& objects, size_t& reads);
  // As read before, or now. nullopt: `reads` are used up. It counts them down.
  Result<std::optional<Target>> kept_target(const ObjectId& id, ObjectDatabase& objects,
                                            size_t& reads);
  // What a ref leads to of which that is known.
  const ObjectId& target_of(const Ref& ref) const;
  static bool is_same(const Ref& before, Ref& now, const ObjectId& target_before);
  Result<bool> read_others(ObjectDatabase& objects, size_t& reads);
  // False: `reads` are used up.
  Result<bool> name(const Ref& ref, ObjectDatabase& objects, size_t& reads);
  void finish();
  void drop_targets();

  Refs refs_;  // when last loaded
  ByCommit by_commit_;
  Targets targets_;  // of ids in refs_ that have nothing written beside them, and of some more
  std::unique_ptr<Loading> loading_;
  uint64_t version_ = 0;
  size_t objects_read_ = 0;
};

}  // namespace resident
