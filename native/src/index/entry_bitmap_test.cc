#include "index/entry_bitmap.h"

#include <gtest/gtest.h>

#include <string>

namespace resident {
namespace {

std::string be(uint64_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> (8 * i));
  return text;
}

uint64_t marker(bool run_value, uint64_t run_words, uint64_t literal_words) {
  return uint64_t{run_value} | run_words << 1 | literal_words << 33;
}

std::string bitmap(std::initializer_list<uint64_t> words, uint32_t bit_count = 0) {
  std::string text = be(bit_count, 4) + be(words.size(), 4);
  for (uint64_t word : words) text += be(word, 8);
  return text + be(0, 4);
}

std::optional<std::vector<bool>> read(const std::string& text, size_t size) {
  // The heap block has exactly this size, so a sanitizer detects a read beyond it.
  const std::vector<uint8_t> copy(text.begin(), text.end());
  ByteReader reader(copy);
  auto bits = read_entry_bitmap(reader, size);
  EXPECT_TRUE(!bits || reader.remaining() == 0);
  return bits;
}

std::vector<size_t> set_bits(const std::vector<bool>& bits) {
  std::vector<size_t> positions;
  for (size_t i = 0; i < bits.size(); ++i) {
    if (bits[i]) positions.push_back(i);
  }
  return positions;
}

TEST(EntryBitmap, RunsAndLiterals) {
  auto bits = read(bitmap({marker(false, 1, 2), 1u | 1ull << 63, 4, marker(true, 1, 0)}), 256);
  ASSERT_TRUE(bits);
  std::vector<size_t> expected = {64, 127, 130};
  for (size_t i = 192; i < 256; ++i) expected.push_back(i);
  EXPECT_EQ(set_bits(*bits), expected);
}

TEST(EntryBitmap, Positions) {
  const std::string text = bitmap({marker(false, 1, 2), 1u | 1ull << 63, 4, marker(true, 1, 0)});
  const auto positions = [&](uint32_t size, size_t limit) {
    ByteReader reader(as_bytes(text));
    return read_entry_positions(reader, size, limit);
  };
  EXPECT_EQ(positions(256, 67)->size(), 67U);
  EXPECT_EQ(positions(256, 66)->size(), 67U);
  EXPECT_EQ(positions(256, 3), (std::vector<uint32_t>{64, 127, 130, 192}));
  EXPECT_EQ(positions(255, 3), std::nullopt);
}

TEST(EntryBitmap, Empty) {
  EXPECT_EQ(read(bitmap({}), 0), std::vector<bool>());
  EXPECT_EQ(read(bitmap({marker(false, 0, 0)}), 3), std::vector<bool>(3));
  // A run of unset bits may be longer than the bitmap.
  EXPECT_EQ(read(bitmap({marker(false, 0xffffffff, 0)}), 3), std::vector<bool>(3));
}

TEST(EntryBitmap, BitsBeyondTheEnd) {
  EXPECT_TRUE(read(bitmap({marker(false, 0, 1), 1ull << 4}), 5));
  EXPECT_FALSE(read(bitmap({marker(false, 0, 1), 1ull << 5}), 5));
  EXPECT_TRUE(read(bitmap({marker(true, 1, 0)}), 64));
  EXPECT_FALSE(read(bitmap({marker(true, 1, 0)}), 63));
  EXPECT_FALSE(read(bitmap({marker(true, 0xffffffff, 0)}), 64));
  EXPECT_FALSE(read(bitmap({marker(false, 0xffffffff, 1), 1}), 64));
}

TEST(EntryBitmap, WordsThatAreNotThere) {
  EXPECT_FALSE(read(bitmap({marker(false, 0, 2), 1}), 64));
  EXPECT_FALSE(read(bitmap({marker(false, 0, 0x7fffffff)}), 64));
  EXPECT_FALSE(read(be(0, 4) + be(0xffffffff, 4) + be(0, 4), 64));
}

TEST(EntryBitmap, EveryTruncation) {
  const std::string whole = bitmap({marker(false, 0, 1), 5, marker(true, 1, 0)}, 128);
  ASSERT_TRUE(read(whole, 128));
  for (size_t length = 0; length < whole.size(); ++length) {
    EXPECT_FALSE(read(whole.substr(0, length), 128)) << length;
  }
}

}  // namespace
}  // namespace resident
