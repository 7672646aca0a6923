#include "base/json.h"

#include <gtest/gtest.h>

namespace resident {
namespace {

std::string text(std::string_view bytes) {
  std::string out;
  append_json_text(out, bytes);
  return out;
}

TEST(Json, TextOfAnyBytes) {
  EXPECT_EQ(text("a/b"), R"("a/b")");
  EXPECT_EQ(text(""), R"("")");
  EXPECT_EQ(text("\"\\\n\x1f\x7f"), "\"\\\"\\\\\\u000a\\u001f\x7f\"");
  for (const char* valid : {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xed\x9f\xbf"}) {
    EXPECT_EQ(text(valid), std::string("\"") + valid + "\"");
  }
  EXPECT_EQ(text("\xff"), R"({"base64":"/w=="})");
  EXPECT_EQ(text("a\xff"), R"({"base64":"Yf8="})");
  EXPECT_EQ(text("ab\xff"), R"({"base64":"YWL/"})");
  // An overlong form, a surrogate, beyond the last character, truncated, a lone continuation byte.
  for (const char* bad : {"\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                          "\xe2\x82", "\x80", "\xf0\x80\x80\x80", "\xf5\x80\x80\x80"}) {
    EXPECT_TRUE(text(bad).starts_with("{\"base64\"")) << bad;
  }
}

TEST(Json, AsciiOfAnyBytes) {
  std::string out;
  append_json_ascii(out, "a\"\\\n\x7f\xc3\xa9\xff");
  EXPECT_EQ(out, R"("a\"\\\u000a\u007f\u00e9\udcff")");
}

TEST(Json, MembersAndElements) {
  std::string out;
  {
    JsonMembers object(out);
    object.number("a", -7);
    object.none("b");
    {
      JsonMembers list(object.next("c"), JsonMembers::Kind::kList);
      list.next() += "1";
      JsonMembers(list.next()).flag("d", true);
    }
    object.text("e", "f");
  }
  EXPECT_EQ(out, R"({"a":-7,"b":null,"c":[1,{"d":true}],"e":"f"})");
}

}  // namespace
}  // namespace resident
