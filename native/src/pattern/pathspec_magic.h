// Parses the magic before a pathspec: ":(word,word)path", ":!/path". Applies the defaults from the
// environment.
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
  std::string_view path;  // the rest; points into the argument
};

// Has the errors of Pathspec::parse().
Result<PathspecMagic> parse_pathspec_magic(std::string_view argument,
                                           const PathspecSettings& settings);

}  // namespace resident
