#include "delta/told_problems.h"

#include <gtest/gtest.h>

namespace resident {
namespace {

TEST(ToldProblems, OneThatStaysIsToldOnce) {
  ToldProblems told;
  for (uint64_t round = 0; round < 5; ++round) {
    told.record_rounds(round);
    EXPECT_EQ(told.meet("a").has_value(), round == 0) << round;
    EXPECT_FALSE(told.meet("a"));
  }
}

TEST(ToldProblems, OneThatComesAgainIsToldAgain) {
  ToldProblems told;
  EXPECT_EQ(told.meet("a"), "a");
  told.record_rounds(1);
  EXPECT_FALSE(told.meet("a")) << "met in the round before";
  told.record_rounds(2);
  told.record_rounds(3);
  EXPECT_EQ(told.meet("a"), "a");
}

TEST(ToldProblems, BeyondTheLimitIsToldThatThereAreMore) {
  ToldProblems told(2);
  EXPECT_TRUE(told.meet("a"));
  EXPECT_TRUE(told.meet("b"));
  EXPECT_EQ(told.meet("c"), "more than 2 problems: further problems are not reported for now");
  EXPECT_FALSE(told.meet("c"));
  EXPECT_FALSE(told.meet("d"));
  told.record_rounds(1);
  EXPECT_FALSE(told.meet("a"));
  told.record_rounds(2);
  EXPECT_EQ(told.meet("d"), "d") << "b is gone";
  EXPECT_TRUE(told.meet("e"));
}

}  // namespace
}  // namespace resident
