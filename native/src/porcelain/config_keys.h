// The config keys that git checks before it prints a status, with the values that it accepts.
//
// Source: git_status_config and its callees in git's builtin/commit.c, diff.c, config.c.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace resident {

struct ConfigKey {
  // kGivenBool: a boolean that needs a value. kList: words separated by commas.
  enum class Kind : uint8_t { kBool, kGivenBool, kInt, kUnsigned, kString, kList };

  Kind kind;
  // Words that are accepted too. For kString with words, no other value is accepted.
  std::vector<std::string_view> words = {};
};

// Null: the key is not in the table.
const ConfigKey* find_config_key(std::string_view key);

}  // namespace resident
