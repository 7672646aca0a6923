// The headers of commit and tag objects that status and history walks need.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "hash/object_id.h"
#include "object/object_type.h"

namespace resident {

struct CommitHeader {
  ObjectId tree;
  std::vector<ObjectId> parents;
  // Seconds since the epoch; 0 where the committer line is missing or malformed, as git has it: a
  // bad date makes a commit old, not unreadable.
  uint64_t committer_time = 0;
};

// `content` is a commit object's content. kCorrupt where the tree or a parent line is malformed
// (the message does not know which commit it is).
Result<CommitHeader> parse_commit(std::string_view content, HashAlgorithm algorithm);

struct TagHeader {
  ObjectId object;
  ObjectType type = ObjectType::kCommit;  // of `object`, as the tag claims
  std::string name;                       // empty where its line is missing
  uint64_t tagger_time = 0;               // 0 without a tagger, as very old tags are
};

// `content` is an annotated tag object's content. kCorrupt where its first two lines are malformed.
Result<TagHeader> parse_tag(std::string_view content, HashAlgorithm algorithm);

}  // namespace resident
