// The magic in front of a pathspec: ":(word,word)path", ":!/path", and the environment's defaults.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "pattern/pathspec.h"

namespace resident {

struct PathspecMagic {
  bool top = false;
  bool literal = false;
  bool glob = false;
  bool ignore_case = false;
  bool exclude = false;
  std::string_view path;  // the rest of the argument, which it points into
};

// Errors as Pathspec::parse.
Result<PathspecMagic> parse_pathspec_magic(std::string_view argument,
                                           const PathspecOptions& options);

}  // namespace resident
