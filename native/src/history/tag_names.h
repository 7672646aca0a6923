// TagNames: which tag names which commit, by the rules of `git describe`: an annotated tag goes
// before a lightweight one, of annotated ones the one with the latest tagger date, else the first
// by name.
//
// A tag object that was read once is not read again, so that loading after a tag came or went costs
// a look at the refs: what other refs lead to is kept as it is. What tags lead to is not looked at:
// it may be missing, as in a partial clone.
//
// Source: git's builtin/describe.c.
//
// Threads: its owner's.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "hash/object_id.h"
#include "odb/object_database.h"
#include "refs/ref_store.h"

namespace resident {

// Where tags are.
inline constexpr std::string_view kTags = "refs/tags/";

struct TagName {
  std::string name;  // as git prints it: that of the tag object; of a lightweight one, of its ref
  bool annotated = false;
  uint64_t tagger_date = 0;  // of an annotated one
  // The ref, behind refs/tags/, is called otherwise: git warns of it.
  bool misnamed = false;
  friend bool operator==(const TagName&, const TagName&) = default;
};

class TagNames {
 public:
  using ByCommit = std::unordered_map<ObjectId, TagName>;

  // In steps: begin(), then step() until it is true. Until then by_commit() is as it was.
  // kUnsupported where only git can tell: refs that cannot be listed, a tag object that cannot be
  // read.
  Result<void> begin(RefStore& refs);
  // Reads as many tag objects.
  Result<bool> step(ObjectDatabase& objects, size_t reads);
  // All at once.
  Result<void> load(RefStore& refs, ObjectDatabase& objects);

  // Grows when by_commit() becomes another one.
  uint64_t version() const { return version_; }
  // By what a tag leads to, through tags of tags; trees and blobs among these.
  const ByCommit& by_commit() const { return by_commit_; }

  // The files whose stat decides load(), existing or not.
  static std::vector<std::string> files(RefStore& refs) {
    return refs.files_below(std::string(kTags));
  }

 private:
  struct Target {
    ObjectId id;
    bool annotated = false;
    std::string name;  // as the tag object has it
    uint64_t tagger_date = 0;
  };
  using Refs = std::map<std::string, ObjectId>;
  using Targets = std::unordered_map<ObjectId, Target>;
  struct Loading {
    Refs refs;
    std::vector<Refs::const_iterator> others;  // in `refs`: new, or with another id
    std::vector<ObjectId> gone;  // ids in `refs_` of these, and of those that are gone
    size_t looked_at = 0;        // of `others`
  };
  // Counts down `reads` for each object that it reads.
  static Result<Target> read_target(const ObjectId& id, ObjectDatabase& objects, size_t& reads);
  static void note(const std::string& name, const Target& target, ByCommit& by_commit);

  void finish();
  void drop_targets();

  Refs refs_;  // when last loaded
  ByCommit by_commit_;
  Targets targets_;  // of all ids in refs_, and of some more
  std::unique_ptr<Loading> loading_;
  uint64_t version_ = 0;
};

}  // namespace resident
