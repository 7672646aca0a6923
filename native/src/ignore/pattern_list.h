// One parsed ignore file (.gitignore, info/exclude, core.excludesFile), by the rules of
// gitignore(5) as dir.c of git applies them. The last pattern of the file that matches a path
// decides.
//
// Immutable after parse(), so safe from any thread. match() allocates nothing. Patterns without a
// glob character and patterns of the form "*literal" are found by hash, whatever their number; the
// remaining ones are tried from the last to the first.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ignore/suffix_table.h"
#include "pattern/path_pattern.h"

namespace resident {

// Its text is never empty.
struct Pattern : PathPattern {
  uint32_t line = 0;  // in its file, from 1
};

class PatternList {
 public:
  // `base` is the directory that holds the file, relative to the worktree's root: "" or ending in
  // '/'. Any bytes are a valid ignore file.
  static std::shared_ptr<const PatternList> parse(std::string content, std::string base);

  // The pattern that decides about `path`, nullptr where none says anything. `path` is relative to
  // the worktree's root, has no trailing '/' and lies below base; `basename` is its last component.
  // `is_directory` is false for a symbolic link to a directory.
  const Pattern* last_match(std::string_view path, std::string_view basename, bool is_directory,
                            const PatternMatching& matching) const;

  // nullopt: no pattern says anything. true: ignored. false: re-included by a '!' pattern.
  std::optional<bool> match(std::string_view path, std::string_view basename, bool is_directory,
                            const PatternMatching& matching) const {
    const Pattern* pattern = last_match(path, basename, is_directory, matching);
    if (pattern == nullptr) return std::nullopt;
    return !pattern->negative;
  }

  // One of patterns() as the file has it, but for what git cuts off at the end of a line.
  std::string written(const Pattern& pattern) const;

  // The file as it was parsed.
  const std::string& content() const { return content_; }
  bool empty() const { return patterns_.empty(); }
  const std::vector<Pattern>& patterns() const { return patterns_; }

  PatternList(const PatternList&) = delete;
  PatternList& operator=(const PatternList&) = delete;

 private:
  PatternList(std::string content, std::string base);
  void add_line(std::string_view line, uint32_t number);
  void index_patterns();

  const std::string content_;  // what the patterns point into
  const std::string base_;
  std::vector<Pattern> patterns_;
  // Positions in patterns_.
  SuffixTable basenames_;  // literal, match the basename
  SuffixTable paths_;      // literal, match the path relative to base_
  SuffixTable suffixes_;   // "*literal", match the end of the basename
  std::vector<uint32_t> globs_;
};

}  // namespace resident
