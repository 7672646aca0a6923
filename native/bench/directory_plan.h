// DirectoryPlan: the directories and files that a status must check, according to the index. The
// layout lets a floor walk over it without work of its own.
//
// Threads: immutable.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "index/index.h"

namespace resident::bench {

class DirectoryPlan {
 public:
  struct Directory {
    uint32_t parent = 0;  // the root is its own parent
    uint32_t depth = 0;
    // Offsets in text(): last component, path from the root ("." for the root itself).
    uint32_t name = 0;
    uint32_t path = 0;
    uint32_t first_file = 0;  // index in files()
    uint32_t file_count = 0;
  };

  // Leaves out submodules, sparse directories and skip-worktree entries. A path with several stages
  // counts once.
  explicit DirectoryPlan(const Index& index);

  // In preorder.
  std::span<const Directory> directories() const { return directories_; }
  // Offsets of file names in text().
  std::span<const uint32_t> files() const { return files_; }
  // The text at `offset`, which ends in NUL.
  const char* text(uint32_t offset) const { return text_.data() + offset; }

  // At most `count` ranges of directories with about equal work.
  struct Range {
    uint32_t begin;
    uint32_t end;
  };
  std::vector<Range> split(size_t count) const;

 private:
  uint32_t store(std::string_view text);

  std::vector<Directory> directories_;
  std::vector<uint32_t> files_;
  std::string text_;
};

}  // namespace resident::bench
