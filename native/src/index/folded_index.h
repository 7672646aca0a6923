// FoldedIndex: the paths of an index without regard to case, as core.ignoreCase has untracked paths
// compared with them. Only A to Z have case here.
//
// Per path a hash and a position, so that a million paths cost 16 bytes each; what is found by hash
// is compared.
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

  // An entry of any stage has that path, but for case.
  bool has_entry(std::string_view path) const { return find(entries_, path, false); }
  bool has_gitlink(std::string_view path) const { return find(entries_, path, true); }
  // `path` is without a slash at the end.
  bool has_directory(std::string_view path) const;

 private:
  struct Slot {
    uint64_t hash;
    uint32_t position;
  };

  bool find(const std::vector<Slot>& slots, std::string_view path, bool gitlink) const;

  std::shared_ptr<const Index> index_;
  std::vector<Slot> entries_;      // by hash
  std::vector<Slot> directories_;  // by hash
};

// Whether both have the same paths, and gitlinks at the same ones, so that they fold alike.
bool have_same_paths(const Index& a, const Index& b);

}  // namespace resident
