#include "base/repo_path.h"

#include <gtest/gtest.h>

#include <random>

namespace resident {
namespace {

std::string there_and_back(std::string_view bytes) {
  Result<std::string> back = repo_path_from_utf16(repo_path_to_utf16(bytes));
  return back.ok() ? *back : "error: " + back.error().message;
}

TEST(RepoPath, DecodesUtf8) {
  EXPECT_EQ(repo_path_to_utf16("src/a.txt"), u"src/a.txt");
  EXPECT_EQ(repo_path_to_utf16("\xC3\xA9"), u"\u00E9");
  EXPECT_EQ(repo_path_to_utf16("\xE2\x82\xAC"), u"\u20AC");
  EXPECT_EQ(repo_path_to_utf16("\xF0\x9F\x92\x80"), u"\U0001F480");
}

TEST(RepoPath, CarriesEachInvalidByteAsItsSurrogate) {
  EXPECT_EQ(repo_path_to_utf16("a\xFF"), (std::u16string{u'a', 0xDCFF}));
  // A truncated sequence, an overlong '/', an encoded surrogate, and a code point above U+10FFFF.
  EXPECT_EQ(repo_path_to_utf16("\xE2\x82"), (std::u16string{0xDCE2, 0xDC82}));
  EXPECT_EQ(repo_path_to_utf16("\xC0\xAF"), (std::u16string{0xDCC0, 0xDCAF}));
  EXPECT_EQ(repo_path_to_utf16("\xED\xB2\x80"), (std::u16string{0xDCED, 0xDCB2, 0xDC80}));
  EXPECT_EQ(repo_path_to_utf16("\xF4\x90\x80\x80"),
            (std::u16string{0xDCF4, 0xDC90, 0xDC80, 0xDC80}));
}

TEST(RepoPath, EveryPairOfBytesComesBack) {
  for (int first = 1; first < 256; ++first) {
    for (int second = 1; second < 256; ++second) {
      const std::string bytes{static_cast<char>(first), static_cast<char>(second)};
      ASSERT_EQ(there_and_back(bytes), bytes);
    }
  }
}

TEST(RepoPath, RandomBytesComeBack) {
  std::mt19937 random(7);
  // Contains many lead and continuation bytes, so that valid and broken sequences are both
  // frequent.
  const std::string alphabet = "a/\x80\x9F\xA0\xBF\xC2\xE0\xED\xEF\xF0\xF4\xFF";
  for (int round = 0; round < 20000; ++round) {
    std::string bytes;
    for (size_t length = random() % 12; length > 0; --length) {
      bytes += alphabet[random() % alphabet.size()];
    }
    ASSERT_EQ(there_and_back(bytes), bytes);
  }
}

TEST(RepoPath, RefusesWhatIsNoPath) {
  EXPECT_FALSE(repo_path_from_utf16(std::u16string_view(u"a\0b", 3)).ok());
  for (const char16_t lone : {0xD800, 0xDBFF, 0xDC00, 0xDC7F, 0xDD00, 0xDFFF}) {
    EXPECT_FALSE(repo_path_from_utf16(std::u16string{u'a', lone, u'b'}).ok())
        << static_cast<int>(lone);
    EXPECT_FALSE(repo_path_from_utf16(std::u16string{lone}).ok()) << static_cast<int>(lone);
  }
}

TEST(RepoPath, KnowsAscii) {
  EXPECT_TRUE(is_ascii(""));
  EXPECT_TRUE(is_ascii("a\x7F"));
  EXPECT_FALSE(is_ascii("a\x80"));
}

}  // namespace
}  // namespace resident
