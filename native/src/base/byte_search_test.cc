#include "base/byte_search.h"

#include <gtest/gtest.h>

#include <string>

namespace resident {
namespace {

// Tests each length around the word size, with the difference at each position.
TEST(ByteSearch, CommonPrefixEndsAtTheFirstDifference) {
  for (size_t size = 0; size <= 26; ++size) {
    const std::string a(size, 'x');
    EXPECT_EQ(common_prefix(a, a), size);
    EXPECT_EQ(common_prefix(a, a + "more than eight bytes"), size);
    EXPECT_EQ(common_prefix(a + "more than eight bytes", a), size);
    EXPECT_TRUE(same_bytes(a, a + ""));
    EXPECT_FALSE(same_bytes(a, a + "x"));
    EXPECT_FALSE(same_bytes(a + "x", a));
    for (size_t at = 0; at < size; ++at) {
      std::string b = a;
      b[at] = '\xf0';
      if (at + 1 < size) b[size - 1] = '\0';
      EXPECT_EQ(common_prefix(a, b), at);
      EXPECT_EQ(common_prefix(b, a), at);
      EXPECT_FALSE(same_bytes(a, b));
      EXPECT_FALSE(same_bytes(b, a));
    }
  }
}

TEST(ByteSearch, ContainsByteSeesEveryPlaceAndNothingElse) {
  for (char wanted : {'\0', '/', '\xff', '\x80', '\x01'}) {
    // Values close to the byte, which a word-wise search could confuse with it.
    for (char other : {'a', static_cast<char>(wanted + 1), static_cast<char>(wanted - 1),
                       static_cast<char>(wanted ^ '\x80')}) {
      for (size_t size = 0; size <= 26; ++size) {
        const std::string without(size, other);
        EXPECT_FALSE(contains_byte(without, wanted));
        // A match beyond the end does not count.
        EXPECT_FALSE(contains_byte(std::string_view(without + wanted).substr(0, size), wanted));
        for (size_t at = 0; at < size; ++at) {
          std::string with = without;
          with[at] = wanted;
          EXPECT_TRUE(contains_byte(with, wanted));
        }
      }
    }
  }
}

}  // namespace
}  // namespace resident
