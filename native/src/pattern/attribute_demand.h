// What the magic attr of a pathspec asks of a path's attributes: ":(attr:text -diff eol=lf
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

// Whether the attributes of `path`, relative to the worktree's root, are all as demanded. A
// directory's path may end in '/'.
using AttributeCheck = std::function<bool(std::string_view path, std::span<const AttributeDemand>)>;

// The words after "attr:"; kInvalid where git refuses them.
Result<std::vector<AttributeDemand>> parse_attribute_demands(std::string_view words);

bool is_valid_attribute_name(std::string_view name);

}  // namespace resident
