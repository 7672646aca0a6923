#include "cli/text_columns.h"

#include <gtest/gtest.h>

#include "base/repo_path.h"
#include "cli/character_width.h"

namespace resident {
namespace {

TEST(CharacterWidth, OfEachKind) {
  struct {
    char32_t character;
    int width;
  } const cases[] = {
      {U'a', 1},     {U'é', 1},    {U'漢', 2},   {U'ｱ', 1},    {U'Ａ', 2},   {U'한', 2},
      {0x1f600, 2},  {0xe0b0, 1},  {0x301, 0},   {0x1160, 0},  {0xfe0f, 0},  {0, -1},
      {0x1b, -1},    {0x7f, -1},   {0x85, -1},   {0x9b, -1},   {0xad, -1},   {0x200d, -1},
      {0x202e, -1},  {0x2028, -1}, {0xfeff, -1}, {0xffff, -1}, {0xd800, -1}, {0x110000, -1},
      {0x10fffd, 1}, {0x3fffd, 2}, {0x303f, 1},
  };
  for (const auto& [character, width] : cases) {
    EXPECT_EQ(character_width(character), width) << std::hex << static_cast<uint32_t>(character);
  }
}

TEST(TextColumns, PathsAreQuotedAsByGit) {
  EXPECT_EQ(printable_path("a b/c", false), "a b/c");
  EXPECT_EQ(printable_path("漢字", false), "漢字");
  EXPECT_EQ(printable_path("漢", true), "\"\\346\\274\\242\"");
  EXPECT_EQ(printable_path("a\tb\"\\\x7f\x1b[2J", false), "\"a\\tb\\\"\\\\\\177\\033[2J\"");
  EXPECT_EQ(printable_path("é\xff", false), "\"é\\377\"");
  // An 8-bit control character, and a character that changes the text direction.
  EXPECT_EQ(printable_path("a\xc2\x9b", false), "\"a\\302\\233\"");
  EXPECT_EQ(printable_path("\xe2\x80\xae", false), "\"\\342\\200\\256\"");
  // Marks without a character before them, and too many marks on a character.
  EXPECT_EQ(printable_path("\xcc\x81", false), "\"\\314\\201\"");
  EXPECT_EQ(printable_path("e\xcc\x81", false), "e\xcc\x81");
  const std::string mark = "\xcc\x81";
  EXPECT_EQ(printable_path("e" + mark + mark + mark + mark + mark, false),
            "\"e" + mark + mark + mark + mark + "\\314\\201\"");
}

TEST(TextColumns, TextIsNotQuoted) {
  EXPECT_EQ(printable_text("\"a\" é\n\xff"), "\"a\" é\\n\\377");
}

TEST(TextColumns, AreCounted) {
  EXPECT_EQ(columns_of(""), 0u);
  EXPECT_EQ(columns_of("aé漢"), 4u);
  EXPECT_EQ(columns_of("e\xcc\x81"), 1u);
}

TEST(TextColumns, AreCut) {
  struct {
    std::string_view text;
    size_t columns;
    std::string_view end;
    std::string_view front;
  } const cases[] = {
      {"abc", 3, "abc", "abc"},
      {"abcd", 3, "ab…", "…cd"},
      {"abcd", 1, "…", "…"},
      {"abcd", 0, "", ""},
      {"漢字", 4, "漢字", "漢字"},
      {"漢字", 3, "漢…", "…字"},
      {"漢字", 2, "…", "…"},
      {"a漢b", 3, "a…", "…b"},
      {"", 0, "", ""},
      {"e\xcc\x81é", 1, "…", "…"},
      {"aae\xcc\x81z", 3, "aa…", "…e\xcc\x81z"},
      {"ae\xcc\x81zz", 3, "ae\xcc\x81…", "…zz"},
  };
  for (const auto& [text, columns, end, front] : cases) {
    EXPECT_EQ(cut_end(text, columns), end) << text << columns;
    EXPECT_EQ(cut_front(text, columns), front) << text << columns;
  }
}

// For any bytes of a path, the text is printable. Each cut keeps its limit of columns.
TEST(TextColumns, AnyBytes) {
  std::string bytes;
  uint32_t random = 12345;
  for (int round = 0; round < 500; ++round) {
    bytes.clear();
    for (int i = 0; i < 40; ++i) {
      random = random * 1664525 + 1013904223;
      const char* const some[] = {"\xcc\x81", "漢", "\xe2\x80\x8f", "\x1b[", "\xc2\x85", "\""};
      if (random >> 30) {
        bytes += static_cast<char>(random >> 16);
      } else {
        bytes += some[(random >> 16) % 6];
      }
    }
    for (const std::string& text : {printable_text(bytes), printable_path(bytes, false)}) {
      EXPECT_EQ(printable_text(text).find('\x1b'), std::string::npos);
      for (std::string_view rest = text; !rest.empty();) {
        const Utf8Character character = first_character(rest);
        ASSERT_GT(character.length, 0u) << text;
        ASSERT_GE(character_width(character.code_point), 0) << text;
        rest.remove_prefix(character.length);
      }
      for (size_t columns = 0; columns < 50; ++columns) {
        EXPECT_LE(columns_of(cut_end(text, columns)), columns) << text;
        EXPECT_LE(columns_of(cut_front(text, columns)), columns) << text;
        EXPECT_LE(cut_end(text, columns).size(), columns * 20) << text;
      }
    }
  }
}

}  // namespace
}  // namespace resident
