// SparseCone: the directories of a sparse checkout in cone mode, as info/sparse-checkout names
// them.
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
  // Null where the patterns are not those of a cone: then git matches them like ignore patterns.
  static std::shared_ptr<const SparseCone> parse(std::string_view patterns, bool ignore_case);

  // Whether the file at `path` belongs to the sparse checkout.
  bool contains(std::string_view path) const;

 private:
  bool add(std::string_view line);
  std::string fold(std::string_view path) const;

  bool ignore_case_ = false;
  bool everything_ = false;
  std::unordered_set<std::string> recursive_;  // with all that is below; "/a/b"
  std::unordered_set<std::string> parents_;    // with the files directly in them
};

}  // namespace resident
