// The magic in front of a pathspec: ":(word,word)path", ":!/path", and the environment's defaults.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "pattern/attribute_demand.h"
#include "pattern/pathspec.h"

namespace resident {

struct PathspecMagic {
  bool top = false;
  bool literal = false;
  bool glob = false;
  bool ignore_case = false;
  bool exclude = false;
  std::optional<std::vector<AttributeDemand>> attributes;
  std::string_view path;  // the rest of the argument, which it points into
};

// Errors as Pathspec::parse.
Result<PathspecMagic> parse_pathspec_magic(std::string_view argument,
                                           const PathspecSettings& settings);

}  // namespace resident
