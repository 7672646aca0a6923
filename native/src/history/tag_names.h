// TagNames: which tag names which commit, by the rules of `git describe`: an annotated tag goes
// before a lightweight one, of annotated ones the one with the latest tagger date, else the first
// by name.
//
// A tag object that was read once is not read again, so that loading after a tag came or went costs
// a look at the refs.
//
// Source: git's builtin/describe.c.
//
// Threads: its owner's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.h"
#include "hash/object_id.h"
#include "odb/object_database.h"
#include "refs/ref_store.h"

namespace resident {

// Where tags are.
inline constexpr std::string_view kTags = "refs/tags/";

struct TagName {
  std::string name;  // behind refs/tags/
  bool annotated = false;
  uint64_t tagger_date = 0;  // of an annotated one
};

class TagNames {
 public:
  using ByCommit = std::unordered_map<ObjectId, TagName>;

  // kUnsupported where git has words for a tag: one that leads nowhere, or whose object has another
  // name than its ref.
  Result<void> load(RefStore& refs, ObjectDatabase& objects);

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
  static Result<Target> read_target(const ObjectId& id, ObjectDatabase& objects);

  ByCommit by_commit_;
  std::unordered_map<ObjectId, Target> targets_;  // of the objects that tags named when last loaded
};

}  // namespace resident
