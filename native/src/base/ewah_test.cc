#include "base/ewah.h"

#include <gtest/gtest.h>

#include <vector>

namespace resident {
namespace {

constexpr uint64_t marker_of(bool value, uint64_t words, uint64_t literal_words) {
  return uint64_t{value} | words << 1 | literal_words << 33;
}

std::vector<uint8_t> ewah_bytes(std::initializer_list<uint64_t> words) {
  std::vector<uint8_t> bytes(7);
  bytes.push_back(static_cast<uint8_t>(words.size()));
  for (const uint64_t word : words) {
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes.push_back(static_cast<uint8_t>(word >> shift));
    }
  }
  bytes.resize(bytes.size() + 4);
  return bytes;
}

TEST(Ewah, RunsAndTheLiteralWordsBehindThem) {
  std::vector<uint8_t> bytes =
      ewah_bytes({marker_of(false, 3, 2), 5, ~uint64_t{0}, marker_of(true, 0xffffffff, 0)});
  bytes.push_back('x');
  ByteReader reader(bytes);
  EwahRuns runs(*read_ewah_words(reader));
  EXPECT_EQ(as_text(reader.rest()), "x");
  EwahRun run;
  ASSERT_TRUE(runs.next(run) && run.is_whole());
  EXPECT_FALSE(run.value);
  EXPECT_EQ(run.words, 3u);
  ASSERT_EQ(run.literal_words, 2u);
  EXPECT_EQ(load_be64(run.literals.data()), 5u);
  EXPECT_EQ(load_be64(run.literals.data() + kEwahWordSize), ~uint64_t{0});
  ASSERT_TRUE(runs.next(run) && run.is_whole());
  EXPECT_TRUE(run.value);
  EXPECT_EQ(run.words, 0xffffffffu);
  EXPECT_EQ(run.literal_words, 0u);
  EXPECT_FALSE(runs.next(run));
}

TEST(Ewah, LiteralWordsThatAreNotThere) {
  const std::vector<uint8_t> bytes = ewah_bytes({marker_of(true, 1, 0x7fffffff), 5});
  ByteReader reader(bytes);
  EwahRuns runs(*read_ewah_words(reader));
  EwahRun run;
  ASSERT_TRUE(runs.next(run));
  EXPECT_EQ(run.literal_words, 0x7fffffffu);
  EXPECT_FALSE(run.is_whole());
  EXPECT_FALSE(runs.next(run));
}

TEST(Ewah, EveryTruncationIsNone) {
  const std::vector<uint8_t> whole = ewah_bytes({marker_of(false, 0, 1), 5});
  for (size_t length = 0; length < whole.size(); ++length) {
    const std::vector<uint8_t> cut(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(length));
    ByteReader reader(cut);
    EXPECT_FALSE(read_ewah_words(reader)) << length;
  }
}

}  // namespace
}  // namespace resident
