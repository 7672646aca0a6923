#include "delta/reported_problems.h"

#include <gtest/gtest.h>

namespace resident {
namespace {

TEST(ReportedProblems, OneThatStaysIsReportedOnce) {
  ReportedProblems problems;
  for (uint64_t round = 0; round < 5; ++round) {
    problems.record_rounds(round);
    EXPECT_EQ(problems.meet("a").has_value(), round == 0) << round;
    EXPECT_FALSE(problems.meet("a"));
  }
}

TEST(ReportedProblems, OneThatComesAgainIsReportedAgain) {
  ReportedProblems problems;
  EXPECT_EQ(problems.meet("a"), "a");
  problems.record_rounds(1);
  EXPECT_FALSE(problems.meet("a")) << "met in the round before";
  problems.record_rounds(2);
  problems.record_rounds(3);
  EXPECT_EQ(problems.meet("a"), "a");
}

TEST(ReportedProblems, BeyondTheLimitItIsReportedThatThereAreMore) {
  ReportedProblems problems(2);
  EXPECT_TRUE(problems.meet("a"));
  EXPECT_TRUE(problems.meet("b"));
  EXPECT_EQ(problems.meet("c"), "more than 2 problems: further problems are not reported for now");
  EXPECT_FALSE(problems.meet("c"));
  EXPECT_FALSE(problems.meet("d"));
  problems.record_rounds(1);
  EXPECT_FALSE(problems.meet("a"));
  problems.record_rounds(2);
  EXPECT_EQ(problems.meet("d"), "d") << "b is gone";
  EXPECT_TRUE(problems.meet("e"));
}

}  // namespace
}  // namespace resident
