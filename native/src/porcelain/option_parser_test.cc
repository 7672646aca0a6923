#include "porcelain/option_parser.h"

#include <gtest/gtest.h>

namespace resident {
namespace {

constexpr OptionSpec kSpecs[] = {
    {0, 'a', "alpha"},  {1, 'b', "beta", OptionSpec::Value::kOptional},         {2, 0, "no-gamma"},
    {3, 0, "alphabet"}, {4, 'd', "delta", OptionSpec::Value::kOptional, false},
};

std::string shown(const std::vector<std::string>& arguments) {
  auto given = parse_options(kSpecs, arguments);
  if (!given) return "refused";
  std::string text;
  for (const GivenOption& option : given->options) {
    text += (option.negated ? "!" : "") + std::to_string(option.id);
    if (option.value) text += "=" + *option.value;
    text += " ";
  }
  for (const std::string& operand : given->operands) text += "<" + operand + ">";
  return text;
}

TEST(OptionParser, FollowsGitsRules) {
  struct Case {
    std::vector<std::string> arguments;
    std::string expected;
  };
  const Case cases[] = {
      {{}, ""},
      {{"-a", "--alpha", "--no-alpha"}, "0 0 !0 "},
      {{"-ab", "-abx", "-bax"}, "0 1 0 1=x 1=ax "},
      {{"--beta", "x", "--beta=y", "--beta="}, "1 1=y 1= <x>"},
      {{"--alp"}, "refused"},
      {{"--alphab"}, "3 "},
      {{"--alpha=x"}, "refused"},
      {{"--no-alpha=x"}, "refused"},
      {{"--gamma", "--no-gamma", "--gam", "--no-gam", "--no-no-gamma"}, "!2 2 !2 2 !2 "},
      {{"--no"}, "refused"},
      {{"--no-b", "--d", "--del=3"}, "!1 4 4=3 "},
      {{"--no-delta"}, "refused"},
      {{"-alpha"}, "refused"},
      {{"-x"}, "refused"},
      {{"--nothing"}, "refused"},
      {{"-", "--", "-a", "--"}, "<-><-a><-->"},
      {{"--end-of-options", "-a"}, "<-a>"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(shown(one.arguments), one.expected) << ::testing::PrintToString(one.arguments);
  }
}

}  // namespace
}  // namespace resident
