// ModelView: the data that the parts of a model read from each other, at one moment of a turn.
// InputVersions: how often each input changed.
//
// Threads: the model's owner.
#pragma once

#include <cstdint>
#include <memory>

#include "diff/path_limit.h"
#include "repo_state/current_index.h"
#include "repo_state/repository_state.h"
#include "status/content.h"
#include "tree/tree_state.h"

namespace resident {

struct ModelView {
  FileSystem& fs;
  const Repository& repository;
  RepositoryState& state;
  const CurrentIndex& current;
  const Index& index;     // `current`'s
  const TreeState& tree;  // built for `index`
  FileContent& content;
  const PathLimit& limit;  // limits every query

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

// Counters of changes. A part keeps the counters of its inputs, and is rebuilt if any of them
// differs.
struct InputVersions {
  uint64_t index = 0;  // reads that found a change
  uint64_t head = 0;
  uint64_t config = 0;
  uint64_t rules = 0;       // ignore rules outside the worktree
  uint64_t attributes = 0;  // attributes outside the worktree
  uint64_t own_attributes = 0;
  uint64_t rewritten = 0;  // files rewritten within the second of their index entry
  uint64_t scan = 0;       // scans of the whole worktree
  uint64_t binding = 0;    // tree rebound to an index with other positions
  uint64_t staged = 0;     // comparisons of HEAD with the index
  uint64_t ignores = 0;    // reads of the submodules' ignore settings
};

}  // namespace resident
