#include "hash/name_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <vector>

namespace resident {
namespace {

NameSum sum_of(const std::vector<std::string>& names) {
  NameSum sum;
  for (const std::string& name : names) sum.add(name);
  return sum;
}

TEST(NameSum, IsTheSameInAnyOrderAndOfNoOtherSet) {
  EXPECT_EQ(sum_of({"a", "b", "c"}), sum_of({"c", "a", "b"}));
  EXPECT_NE(sum_of({"a", "b"}), sum_of({"a", "b", "c"}));
  EXPECT_NE(sum_of({"a", "b"}), sum_of({"a", "a"}));
  EXPECT_NE(sum_of({}), sum_of({""}));
}

// All sets of up to four names with the same few letters in the same positions.
TEST(NameSum, SimilarNamesDoNotAddUpToTheSame) {
  std::vector<std::string> names;
  for (const char first : {'a', 'b', 'c'}) {
    for (const char second : {'1', '2', '3', '@'}) {
      names.push_back({first, second});
      names.push_back(std::string("a longer name ") + first + "." + second);
    }
  }
  std::map<size_t, std::vector<NameSum>> seen;
  for (uint32_t set = 0; set < uint32_t{1} << names.size(); ++set) {
    if (std::popcount(set) > 4) continue;
    NameSum sum;
    for (size_t i = 0; i < names.size(); ++i) {
      if (set >> i & 1) sum.add(names[i]);
    }
    seen[static_cast<size_t>(std::popcount(set))].push_back(sum);
  }
  for (auto& [count, sums] : seen) {
    const size_t size = sums.size();
    std::sort(sums.begin(), sums.end());
    EXPECT_EQ(std::unique(sums.begin(), sums.end()) - sums.begin(), static_cast<long>(size))
        << count;
  }
}

}  // namespace
}  // namespace resident
