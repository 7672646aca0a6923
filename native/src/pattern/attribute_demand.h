// The attributes that a pathspec with the magic word attr requires: ":(attr:text -diff eol=lf
// !ident)".
//
// Source: git's gitglossary(7) ("pathspec") and pathspec.c (parse_pathspec_attr_match).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace resident {

struct AttributeDemand {
  enum class State : uint8_t { kUnspecified, kSet, kUnset, kValue };

  std::string name;
  State state = State::kUnspecified;
  std::string value = {};  // for kValue
  friend bool operator==(const AttributeDemand&, const AttributeDemand&) = default;
};

// Returns whether `path` has all these attributes. `path` is relative to the root of the worktree.
// The path of a directory may end in '/'.
using AttributeCheck = std::function<bool(std::string_view path, std::span<const AttributeDemand>)>;

// Parses the words after "attr:". Fails with kInvalid if git refuses them.
Result<std::vector<AttributeDemand>> parse_attribute_demands(std::string_view words);

bool is_valid_attribute_name(std::string_view name);

}  // namespace resident
