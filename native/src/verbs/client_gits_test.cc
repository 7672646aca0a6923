#include "verbs/client_gits.h"

#include <gtest/gtest.h>

namespace resident {
namespace {

TEST(AskersGitsTest, KeepsTheNewestOfEach) {
  ClientGits gits;
  EXPECT_EQ(gits.version_of("a"), std::nullopt);
  gits.note("a", {2, 39, 5});
  gits.note("b", {2, 55, 0});
  gits.note("a", {2, 47, 3});
  EXPECT_EQ(gits.version_of("a"), (GitVersion{2, 47, 3}));
  EXPECT_EQ(gits.version_of("b"), (GitVersion{2, 55, 0}));
}

TEST(AskersGitsTest, IsBounded) {
  ClientGits gits;
  for (size_t i = 0; i <= ClientGits::kLimit; ++i) gits.note(std::to_string(i), {2, 40, 0});
  EXPECT_EQ(gits.version_of("0"), std::nullopt);
  EXPECT_TRUE(gits.version_of("1"));
  EXPECT_TRUE(gits.version_of(std::to_string(ClientGits::kLimit)));
}

}  // namespace
}  // namespace resident
