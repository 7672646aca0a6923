// git's rules for command line options, for one table of options. The rules are:
// - unambiguous abbreviations and --no- forms,
// - clustered letters,
// - values after '=' or directly after the letter,
// - "--" and "--end-of-options".
//
// Source: git's parse-options.c and Documentation/gitcli.txt.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace resident {

struct OptionSpec {
  enum class Value : uint8_t { kNone, kOptional };

  int id;
  char letter;  // 0: none
  // If the name itself begins with "no-", the name without that prefix is the negation.
  std::string_view name;
  Value value = Value::kNone;
  bool negatable = true;
};

struct GivenOption {
  int id;
  bool negated = false;
  std::optional<std::string> value = {};
  friend bool operator==(const GivenOption&, const GivenOption&) = default;
};

struct GivenArguments {
  std::vector<GivenOption> options;  // in order
  std::vector<std::string> operands;
};

// Returns nullopt if git would print an error or its usage instead.
std::optional<GivenArguments> parse_options(std::span<const OptionSpec> specs,
                                            const std::vector<std::string>& arguments);

}  // namespace resident
