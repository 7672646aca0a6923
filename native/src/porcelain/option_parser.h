// git's rules for options on a command line, for one table of options. Source: git's
// parse-options.c and Documentation/gitcli.txt: unambiguous abbreviations, --no- forms, clustered
// letters, values attached by
// '=' or behind the letter, "--" and "--end-of-options".
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
  // Where the name itself begins with "no-", the name without it is the negation.
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

// nullopt where git would print an error or its usage instead.
std::optional<GivenArguments> parse_options(std::span<const OptionSpec> specs,
                                            const std::vector<std::string>& arguments);

}  // namespace resident
