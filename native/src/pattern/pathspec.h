// Pathspecs: the arguments that limit `git status` to some paths (gitglossary(7), "pathspec"), with
// the results of pathspec.c and dir.c of git 2.39.
//
// Immutable after parse(), so safe from any thread. Matching allocates nothing but what an
// AttributeCheck does.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "pattern/attribute_demand.h"

namespace resident {

// What holds for every element: GIT_LITERAL_PATHSPECS, GIT_GLOB_PATHSPECS, GIT_NOGLOB_PATHSPECS,
// GIT_ICASE_PATHSPECS.
struct PathspecSettings {
  bool literal = false;
  bool glob = false;
  bool noglob = false;
  bool ignore_case = false;
  friend bool operator==(const PathspecSettings&, const PathspecSettings&) = default;
};

struct PathspecOptions {
  // The directory in which the command runs, relative to the worktree's root: "" or ending in '/'.
  std::string_view prefix = {};
  // The worktree's root, absolute and without symbolic links; absolute arguments are taken relative
  // to it. Where it is empty they are unsupported.
  std::string_view worktree = {};
  PathspecSettings settings = {};
};

// How a path matched, from the weakest to the strongest.
enum class PathspecMatch {
  kNone,
  kRecursive,  // an element names a directory above the path
  kLeading,    // only from match_leading(): something below the directory may match
  kGlob,
  kExact,
};

class Pathspec {
 public:
  // Matches everything, as `git status` without arguments does.
  Pathspec() = default;

  // kInvalid where git refuses the arguments. kUnsupported for what has to be asked of git: the
  // magic word prefix, and absolute paths that lead to the worktree some other way than by its own
  // name. Without arguments the result matches everything, whatever the prefix.
  static Result<Pathspec> parse(std::span<const std::string> arguments,
                                const PathspecOptions& options);

  // Whether there is no limit at all.
  bool empty() const { return items_.empty(); }

  // Whether an element has the magic attr.
  bool asks_attributes() const;

  // Both ask `has_attributes` where an element has the magic attr; without it such an element
  // matches nothing.
  //
  // `path` is relative to the worktree's root and does not end in '/'; a gitlink is_directory.
  PathspecMatch match(std::string_view path, bool is_directory = false,
                      const AttributeCheck& has_attributes = nullptr) const;
  // What the dirwalk asks about a directory that has no tracked content: `directory` ends in '/'.
  // kNone: nothing in it can match. kLeading: something below may, the directory itself does not.
  PathspecMatch match_leading(std::string_view directory,
                              const AttributeCheck& has_attributes = nullptr) const;

  // False where neither `path` nor anything below it can match, judged by the literal starts of the
  // elements only.
  bool may_match_at_or_below(std::string_view path) const;

  // The longest directory, "" or ending in '/', that holds all that can match.
  std::string_view common_directory() const;

 private:
  struct Item {
    std::string match;   // relative to the worktree's root
    size_t prefix = 0;   // bytes of `match` that come from the current directory: never globs
    size_t literal = 0;  // bytes of `match` before its first glob character
    bool ignore_case = false;
    bool pathname = false;  // :(glob)
    bool exclude = false;
    bool is_suffix = false;  // the glob part is "*literal"
    std::vector<AttributeDemand> attributes;
  };

  struct Name {
    std::string_view path;
    bool is_directory;
    bool leading;
    const AttributeCheck& has_attributes;
  };

  static Result<Item> parse_item(const std::string& argument, const PathspecOptions& options);
  static bool glob_matches(const Item& item, std::string_view text);
  static PathspecMatch match_item(const Item& item, const Name& name);
  PathspecMatch best_match(const Name& name, bool exclude) const;
  PathspecMatch match_name(const Name& name) const;

  std::vector<Item> items_;
  bool has_exclude_ = false;
};

}  // namespace resident
