// SparseCone: the directories of a sparse checkout in cone mode, from info/sparse-checkout.
//
// Source: git's git-sparse-checkout.txt ("CONE PATTERN SET") and dir.c (add_pattern_to_hashsets,
// path_matches_pattern_list).
//
// Threads: immutable.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

namespace resident {

class SparseCone {
 public:
  // Null if the patterns do not form a cone. git then matches them like ignore patterns.
  static std::shared_ptr<const SparseCone> parse(std::string_view patterns, bool ignore_case);

  // Whether the file at `path` belongs to the sparse checkout.
  bool contains(std::string_view path) const;

 private:
  bool add(std::string_view line);
  std::string fold(std::string_view path) const;

  bool ignore_case_ = false;
  bool everything_ = false;
  std::unordered_set<std::string> recursive_;  // directories with everything below; "/a/b"
  std::unordered_set<std::string> parents_;    // directories with only their direct files
};

}  // namespace resident
