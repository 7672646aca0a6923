// What the parts of a model read of one another, as of one moment of its turn, and how often that
// became another thing.
//
// Threads: the model's owner.
#pragma once

#include <cstdint>
#include <memory>

#include "diff/path_limit.h"
#include "repo_state/current_index.h"
#include "repo_state/repository_state.h"
#include "status/content.h"
#include "tree/worktree_tree.h"

namespace resident {

struct ModelView {
  FileSystem& fs;
  const Repository& repository;
  RepositoryState& state;
  const CurrentIndex& current;
  const Index& index;        // `current`'s
  const WorktreeTree& tree;  // of that index
  FileContent& content;
  const PathLimit& limit;  // of all that is asked

  std::string absolute(const std::string& path) const { return repository.worktree + "/" + path; }
  PathLimit limit_of(const std::shared_ptr<const Pathspec>& pathspec) const {
    return path_limit(content, pathspec);
  }
  static PathLimit path_limit(FileContent& content,
                              const std::shared_ptr<const Pathspec>& pathspec) {
    return {pathspec, [&content](std::string_view path, std::span<const AttributeDemand> demands) {
              return content.has_attributes(path, demands);
            }};
  }
};

// Counts. A part keeps those of what it was made from, and is made again where one differs.
struct InputVersions {
  uint64_t index = 0;  // read, and not as it was
  uint64_t head = 0;
  uint64_t config = 0;
  uint64_t rules = 0;       // ignore rules from outside of the worktree
  uint64_t attributes = 0;  // from outside of the worktree
  uint64_t own_attributes = 0;
  uint64_t rewritten = 0;  // a file, within the second that the index has of it
  uint64_t scan = 0;       // of the whole worktree
  uint64_t binding = 0;    // of the tree to an index with other positions
  uint64_t staged = 0;     // compared
  uint64_t ignores = 0;    // of submodules, read
};

}  // namespace resident
