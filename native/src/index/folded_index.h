// FoldedIndex: looks up paths of an index without regard to case. core.ignoreCase needs it for
// untracked paths. Only A to Z are folded.
//
// It has a hash and a position for each path: 16 bytes, also for a million paths. A hit by hash is
// confirmed by comparing the path.
//
// Source: git's name-hash.c (index_file_exists, index_dir_exists).
//
// Threads: immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "index/index.h"

namespace resident {

class FoldedIndex {
 public:
  explicit FoldedIndex(std::shared_ptr<const Index> index);

  // True if an entry of any stage has this path, ignoring case.
  bool has_entry(std::string_view path) const { return find(entries_, path, false); }
  bool has_gitlink(std::string_view path) const { return find(entries_, path, true); }
  // `path` has no slash at the end.
  bool has_directory(std::string_view path) const;

 private:
  struct Slot {
    uint64_t hash;
    uint32_t position;
  };

  bool find(const std::vector<Slot>& slots, std::string_view path, bool gitlink) const;

  std::shared_ptr<const Index> index_;
  std::vector<Slot> entries_;      // sorted by hash
  std::vector<Slot> directories_;  // sorted by hash
};

// Whether both have the same paths, and gitlinks at the same paths. Then both give the same
// FoldedIndex.
bool have_same_paths(const Index& a, const Index& b);

}  // namespace resident
