// A parsed attributes file (.gitattributes, info/attributes, core.attributesFile), by the rules of
// gitattributes(5) and attr.c of git 2.39. A line that is malformed in any part is ignored. A line
// with a negative pattern is ignored too.
//
// Threads: immutable after parse(), so safe from any thread.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attributes/path_attributes.h"
#include "pattern/path_pattern.h"

namespace resident {

inline constexpr std::string_view kGitattributes = ".gitattributes";

// The source of the content. Like git, the parser treats a blob of the index differently from a
// file. It skips no byte order mark, and a NUL ends the content.
enum class AttributeSource : uint8_t {
  kFile,     // a directory's .gitattributes in the worktree
  kIndex,    // the same file, from the index
  kInfo,     // info/attributes
  kUser,     // core.attributesFile
  kSystem,   // git's own system-wide file
  kBuiltIn,  // git's rules without a file
};

class AttributeFile {
 public:
  struct Assignment {
    std::string_view name;
    AttributeValue value;
  };
  struct Rule {
    PathPattern pattern;
    uint32_t first = 0;  // assignments
    uint32_t count = 0;
    uint32_t line = 0;              // in its file, from 1
    std::string_view written = {};  // the pattern as in the line, without quotes
  };
  struct Macro {
    std::string_view name;
    uint32_t first = 0;
    uint32_t count = 0;
  };

  // `base` is the directory of the file, relative to the root of the worktree: "" or ending in '/'.
  // Only files with base "" may define macros. git ignores macros in other files.
  static std::shared_ptr<const AttributeFile> parse(std::string content, std::string base,
                                                    AttributeSource source);

  const std::string& base() const { return base_; }
  AttributeSource source() const { return source_; }
  // In the order of the file.
  const std::vector<Rule>& rules() const { return rules_; }
  const std::vector<Macro>& macros() const { return macros_; }
  // Whether git prints a warning that it skips a line or the whole file.
  bool git_complains() const { return git_complains_; }
  // All assignments of the file, macros included.
  std::span<const Assignment> assignments() const { return assignments_; }
  std::span<const Assignment> assignments(const Rule& rule) const {
    return assignments().subspan(rule.first, rule.count);
  }
  std::span<const Assignment> assignments(const Macro& macro) const {
    return assignments().subspan(macro.first, macro.count);
  }

  AttributeFile(const AttributeFile&) = delete;
  AttributeFile& operator=(const AttributeFile&) = delete;

 private:
  AttributeFile(std::string content, std::string base, AttributeSource source);
  // Returns false if git would warn about the line.
  bool add_line(std::string_view line, uint32_t number);
  bool add_assignments(std::string_view text);

  const std::string content_;         // everything below points into this,
  std::deque<std::string> unquoted_;  // or into this, for quoted patterns
  const std::string base_;
  const AttributeSource source_;
  std::vector<Rule> rules_;
  std::vector<Macro> macros_;
  std::vector<Assignment> assignments_;
  bool git_complains_ = false;
};

}  // namespace resident
