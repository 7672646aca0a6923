// Pathspecs: the arguments that limit `git status` to some paths (gitglossary(7), "pathspec"). The
// results equal those of pathspec.c and dir.c of git 2.39.
//
// Threads: immutable after parse(), so safe from any thread. Matching allocates no memory; only an
// AttributeCheck can.
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

// Settings for every element: GIT_LITERAL_PATHSPECS, GIT_GLOB_PATHSPECS, GIT_NOGLOB_PATHSPECS,
// GIT_ICASE_PATHSPECS.
struct PathspecSettings {
  bool literal = false;
  bool glob = false;
  bool noglob = false;
  bool ignore_case = false;
  friend bool operator==(const PathspecSettings&, const PathspecSettings&) = default;
};

struct PathspecOptions {
  // The working directory of the command, relative to the root of the worktree: "" or ending in
  // '/'.
  std::string_view prefix = {};
  // The root of the worktree, absolute and without symbolic links. Absolute arguments are resolved
  // against it. If it is empty, absolute arguments are unsupported.
  std::string_view worktree = {};
  PathspecSettings settings = {};
};

// Kinds of match, from the weakest to the strongest.
enum class PathspecMatch {
  kNone,
  kRecursive,  // an element names a directory above the path
  kLeading,    // only from match_leading(): a path below the directory may match
  kGlob,
  kExact,
};

class Pathspec {
 public:
  // Matches everything, like `git status` without arguments.
  Pathspec() = default;

  // Without arguments the result matches everything, whatever the prefix. Fails with kInvalid if
  // git refuses the arguments.
  //
  // Fails with kUnsupported if only git can tell:
  // - for the magic word prefix,
  // - for an absolute path that reaches the worktree through another name than its own.
  static Result<Pathspec> parse(std::span<const std::string> arguments,
                                const PathspecOptions& options);

  // True without any element: every path matches.
  bool empty() const { return items_.empty(); }

  // Whether an element has the magic attr.
  bool asks_attributes() const;

  // `path` is relative to the root of the worktree and does not end in '/'. Pass `is_directory` for
  // a gitlink too.
  //
  // This and match_leading() call `has_attributes` for elements with the magic attr. If it is null,
  // such elements match nothing.
  PathspecMatch match(std::string_view path, bool is_directory = false,
                      const AttributeCheck& has_attributes = nullptr) const;
  // The match for a directory without tracked content, for the directory walk. `directory` ends in
  // '/'. The result kNone means: nothing in it can match. The result kLeading means: a path below
  // it may match, but not the directory itself.
  PathspecMatch match_leading(std::string_view directory,
                              const AttributeCheck& has_attributes = nullptr) const;

  // False if neither `path` nor any path below it can match. Uses only the literal prefixes of the
  // elements.
  bool may_match_at_or_below(std::string_view path) const;

  // The longest directory that holds every possible match: "" or ending in '/'.
  std::string_view common_directory() const;

 private:
  struct Item {
    std::string match;   // relative to the root of the worktree
    size_t prefix = 0;   // bytes of `match` that come from the current directory: never a glob
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
