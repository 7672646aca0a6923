#include "pattern/attribute_demand.h"

#include <gtest/gtest.h>

#include "testing/repo_builder.h"

namespace resident {
namespace {

using State = AttributeDemand::State;
using testing::RepoBuilder;

TEST(AttributeDemand, EachState) {
  auto demands = parse_attribute_demands("text -diff !ident eol=lf  empty= quoted=a\\,b-_1");
  ASSERT_TRUE(demands.ok());
  const std::vector<AttributeDemand> expected = {
      {"text", State::kSet},          {"diff", State::kUnset},
      {"ident", State::kUnspecified}, {"eol", State::kValue, "lf"},
      {"empty", State::kValue, ""},   {"quoted", State::kValue, "a,b-_1"}};
  EXPECT_EQ(*demands, expected);
}

// git accepts or refuses ":(attr:<words>)" like our code.
TEST(AttributeDemand, RefusedAsByGit) {
  RepoBuilder repo;
  repo.init();
  for (const char* words :
       {"",       " ",       "a",     "-a",  "!a",       "a=b",        "a=",    "=",
        "=b",     "-",       "!",     "--a", "!-a",      "-a=b",       "!a=b",  "a b",
        "a  -b",  "a.b_c-d", "a/b",   "a=.", "a=b/c",    "a=\\b",      "a=b\\", "a=\\\\",
        "a=\\,b", "a\\,b",   "a=b c", "1",   "\xc3\xa4", "a=\xc3\xa4", "a=\\.", "a:b"}) {
    SCOPED_TRACE(words);
    const auto told =
        repo.try_git({"status", "--porcelain", "--", ":(attr:" + std::string(words) + ")"});
    EXPECT_EQ(parse_attribute_demands(words).ok(), told.exit_code == 0) << told.err;
  }
}

}  // namespace
}  // namespace resident
