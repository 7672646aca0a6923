// Parses the headers of commit and tag objects that status and history walks need.
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
  // Seconds since the epoch. 0: the committer line is missing or malformed. A bad date makes a
  // commit old, not unreadable, as in git.
  uint64_t committer_time = 0;
};

// `content` is the content of a commit object. kCorrupt: the tree or a parent line is malformed.
// The message does not name the commit.
Result<CommitHeader> parse_commit(std::string_view content, HashAlgorithm algorithm);

struct TagHeader {
  ObjectId object;
  ObjectType type = ObjectType::kCommit;  // type of `object` according to the tag
  std::string name;                       // empty: the line is missing
  uint64_t tagger_time = 0;               // 0: no tagger, as in very old tags
};

// `content` is the content of an annotated tag object. kCorrupt: its first two lines are malformed.
Result<TagHeader> parse_tag(std::string_view content, HashAlgorithm algorithm);

}  // namespace resident
