// A parsed ignore file (.gitignore, info/exclude, core.excludesFile), by the rules of gitignore(5)
// and git's dir.c. The last pattern in the file that matches a path decides.
//
// Patterns without a glob character and patterns of the form "*literal" are found by hash, whatever
// their number. The other patterns are tried from the last to the first.
//
// Threads: immutable after parse(), so safe from any thread. match() allocates nothing.
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

// The text is never empty.
struct Pattern : PathPattern {
  uint32_t line = 0;  // in its file, from 1
};

class PatternList {
 public:
  // `base` is the directory of the file, relative to the root of the worktree: "" or ending in '/'.
  // Any bytes are a valid ignore file.
  static std::shared_ptr<const PatternList> parse(std::string content, std::string base);

  // Returns the pattern that decides about `path`, or nullptr if no pattern matches. The path is
  // relative to the root of the worktree, lies below base and has no trailing '/'. Its last
  // component is `basename`. A symbolic link to a directory is not `is_directory`.
  const Pattern* last_match(std::string_view path, std::string_view basename, bool is_directory,
                            const PatternMatching& matching) const;

  // Returns true for ignored, false for re-included by a '!' pattern, nullopt if no pattern
  // matches.
  std::optional<bool> match(std::string_view path, std::string_view basename, bool is_directory,
                            const PatternMatching& matching) const {
    const Pattern* pattern = last_match(path, basename, is_directory, matching);
    if (pattern == nullptr) return std::nullopt;
    return !pattern->negative;
  }

  // The pattern in the form of the file, without the end of the line that git cuts off.
  std::string written(const Pattern& pattern) const;

  // The content that was parsed.
  const std::string& content() const { return content_; }
  bool empty() const { return patterns_.empty(); }
  const std::vector<Pattern>& patterns() const { return patterns_; }

  PatternList(const PatternList&) = delete;
  PatternList& operator=(const PatternList&) = delete;

 private:
  PatternList(std::string content, std::string base);
  void add_line(std::string_view line, uint32_t number);
  void index_patterns();

  const std::string content_;  // the patterns point into this
  const std::string base_;
  std::vector<Pattern> patterns_;
  // The tables hold positions in patterns_.
  SuffixTable basenames_;  // literal, match the basename
  SuffixTable paths_;      // literal, match the path relative to base_
  SuffixTable suffixes_;   // "*literal", match the end of the basename
  std::vector<uint32_t> globs_;
};

}  // namespace resident
