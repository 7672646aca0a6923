// DirectoryPlan: what a status of a worktree has to look at, as the index knows it, laid out so
// that a floor can walk over it without any work of its own.
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
    uint32_t parent = 0;  // the root is its own
    uint32_t depth = 0;
    // Offsets of text(): last component, path from the root ("." for the root itself).
    uint32_t name = 0;
    uint32_t path = 0;
    uint32_t first_file = 0;  // in files()
    uint32_t file_count = 0;
  };

  // Submodules and sparse directories are left out, and so is what is in the index only
  // (skip-worktree). A path with several stages counts once.
  explicit DirectoryPlan(const Index& index);

  // Preorder.
  std::span<const Directory> directories() const { return directories_; }
  // Offsets of the files' names in text().
  std::span<const uint32_t> files() const { return files_; }
  // Ends in NUL.
  const char* text(uint32_t offset) const { return text_.data() + offset; }

  // Ranges of directories of about the same work, `count` of them at most.
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
