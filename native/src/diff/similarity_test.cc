#include "diff/similarity.h"

#include <gtest/gtest.h>

#include <string>

#include "diff/path_change.h"

namespace resident {
namespace {

ContentProfile profile(std::string_view content, ProfileRules rules = {}) {
  return ContentProfile(content, rules);
}

int score(std::string_view a, std::string_view b, ProfileRules rules = {}) {
  return similarity_score(profile(a, rules), profile(b, rules));
}

std::string lines(int from, int to, const char* end = "\n") {
  std::string text;
  for (int i = from; i < to; ++i) text += "line number " + std::to_string(i) + end;
  return text;
}

TEST(Similarity, EqualTextScoresFull) {
  EXPECT_EQ(score(lines(10, 99), lines(10, 99)), kMaxScore);
  EXPECT_EQ(score(lines(10, 20), lines(50, 60)), 0);
  EXPECT_EQ(score("", ""), 0);
  EXPECT_EQ(score("x\n", ""), 0);
}

TEST(Similarity, OrderOfLinesDoesNotMatter) {
  EXPECT_EQ(score(lines(10, 20) + lines(30, 40), lines(30, 40) + lines(10, 20)), kMaxScore);
}

TEST(Similarity, RepeatedLinesCountAsOftenAsBothHaveThem) {
  EXPECT_EQ(score("aaa\naaa\naaa\naaa\n", "aaa\nbbb\nccc\nddd\n"), kMaxScore / 4);
}

TEST(Similarity, CarriageReturnsCountInBinaryOnly) {
  std::string unix_text = lines(10, 20);
  std::string dos_text = lines(10, 20, "\r\n");
  double expected = kMaxScore * double(unix_text.size()) / double(dos_text.size());
  EXPECT_EQ(score(unix_text, dos_text), static_cast<int>(expected));
  EXPECT_EQ(score(unix_text, dos_text, {.text = false}), 0);
  // A CR outside a CRLF is an ordinary byte.
  EXPECT_EQ(score("a\rb\n", "ab\n"), 0);
}

TEST(Similarity, IncompleteLastChunkDependsOnGit) {
  EXPECT_EQ(score("one line", "one line", {.counts_incomplete_chunk = false}), 0);
  EXPECT_EQ(score("one line", "one line", {.counts_incomplete_chunk = true}), kMaxScore);
  std::string block(64, 'x');
  EXPECT_EQ(score(block, block), kMaxScore);
}

TEST(Similarity, SizesAloneCanRuleOut) {
  EXPECT_FALSE(sizes_rule_out(100, 200, kMaxScore / 2));
  EXPECT_TRUE(sizes_rule_out(99, 200, kMaxScore / 2));
  EXPECT_TRUE(sizes_rule_out(0, 1, 1));
  EXPECT_FALSE(sizes_rule_out(0, 0, kMaxScore));
}

TEST(Similarity, NulAmongTheFirstBytesIsBinary) {
  EXPECT_FALSE(looks_binary(""));
  EXPECT_TRUE(looks_binary(std::string(7999, 'a') + '\0'));
  EXPECT_FALSE(looks_binary(std::string(8000, 'a') + '\0'));
}

}  // namespace
}  // namespace resident
