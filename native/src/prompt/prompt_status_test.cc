#include "prompt/prompt_status.h"

#include <gtest/gtest.h>

#include "prompt/prompt_format.h"
#include "prompt/prompt_limits.h"
#include "testing/value_of.h"

namespace resident {
namespace {

using testing::value_of;

// A status with a different value in every field.
PromptStatus filled(bool described = false) {
  PromptStatus status;
  uint64_t next = 1;
  const auto fill = [&](std::string_view name, auto& value) {
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(value)>, uint64_t>) {
      value = next++;
    } else {
      value = name;
    }
  };
  visit_prompt_fields(status, fill);
  if (described) visit_description_fields(status, fill);
  return status;
}

TEST(PromptStatusTest, CrossesTheSocketAsItWas) {
  EXPECT_EQ(value_of(decode_prompt_status(encode_prompt_status(filled()))), filled());
  EXPECT_EQ(value_of(decode_prompt_status(encode_prompt_status({}))), PromptStatus());
  EXPECT_EQ(value_of(decode_prompt_status(encode_prompt_status(filled(true)))), filled(true));
  const std::string plain = encode_prompt_status(filled());
  const std::string whole = encode_prompt_status(filled(true));
  EXPECT_TRUE(whole.starts_with(plain))
      << "who asks for no description reads what there always was";
  for (size_t size = 0; size < whole.size(); ++size) {
    if (size == plain.size()) continue;
    EXPECT_FALSE(decode_prompt_status(whole.substr(0, size)).ok()) << size;
  }
  EXPECT_FALSE(decode_prompt_status(plain + "x").ok());
  EXPECT_FALSE(decode_prompt_status(whole + "x").ok());
}

TEST(PromptStatusTest, AnEmbeddedNulMovesNoField) {
  PromptStatus status = filled();
  status.summary = std::string("a\0b", 3);
  EXPECT_EQ(value_of(decode_prompt_status(encode_prompt_status(status))).summary, "ab");
}

TEST(PromptStatusTest, QueriesCrossTheSocket) {
  for (int bits = 0; bits < 256; ++bits) {
    const PromptQuery query{(bits & 1) != 0,  (bits & 2) != 0,  (bits & 4) != 0,
                            (bits & 8) != 0,  (bits & 16) != 0, (bits & 32) != 0,
                            (bits & 64) != 0, (bits & 128) != 0};
    EXPECT_EQ(value_of(decode_prompt_query(encode_prompt_query(query))), query);
  }
  for (const char* text : {"", "1000", "100000", "10002", "1000000", "10000002", "100000000"}) {
    EXPECT_FALSE(decode_prompt_query(text).ok()) << text;
  }
}

TEST(PromptLimitsTest, CutWhatWasCounted) {
  PromptStatus status = filled();
  status.index_size = 100;
  status.staged = status.unstaged = status.conflicted = status.untracked = 9;
  status.staged_new = 5;
  status.staged_deleted = 6;
  status.unstaged_deleted = 7;
  PromptLimits limits;
  limits.staged = 4;
  limits.unstaged = PromptLimits::kNone;
  limits.conflicted = 0;
  limits.index_size = 100;
  PromptStatus cut = status;
  apply(limits, cut);
  EXPECT_EQ(cut.staged, 4u);
  EXPECT_EQ(cut.staged_new, 4u);
  EXPECT_EQ(cut.staged_deleted, 4u);
  EXPECT_EQ(cut.unstaged, 9u);
  EXPECT_EQ(cut.unstaged_deleted, 7u);
  EXPECT_EQ(cut.conflicted, 0u);
  EXPECT_EQ(cut.untracked, 1u);
  limits.index_size = 99;
  cut = status;
  apply(limits, cut);
  EXPECT_EQ(cut.unstaged, 0u);
  EXPECT_EQ(cut.unstaged_deleted, 0u);
  EXPECT_EQ(cut.untracked, 0u);
  EXPECT_EQ(cut.staged, 4u);
}

TEST(PromptLimitsTest, ASummaryIsCutBetweenCharacters) {
  const auto cut = [](std::string summary, uint64_t bytes, std::string encoding = "") {
    PromptStatus status;
    status.summary = std::move(summary);
    status.encoding = std::move(encoding);
    PromptLimits limits;
    limits.summary_bytes = bytes;
    apply(limits, status);
    return status.summary;
  };
  EXPECT_EQ(cut("abc", 3), "abc");
  EXPECT_EQ(cut("abc", 2), "ab");
  EXPECT_EQ(cut("abc", 0), "");
  EXPECT_EQ(cut("a\xe2\x82\xac"
                "b",
                2),
            "a");
  EXPECT_EQ(cut("a\xe2\x82\xac"
                "b",
                3),
            "a");
  EXPECT_EQ(cut("a\xe2\x82\xac"
                "b",
                4),
            "a\xe2\x82\xac");
  EXPECT_EQ(cut("\xe2\x82\xac", 1), "");
  EXPECT_EQ(cut("\x80\x80\x80\x80\x80\x80\x80", 6), "\x80\x80\x80\x80\x80\x80");
  EXPECT_EQ(cut("a\xe2\x82\xac", 2, "ISO-8859-1"), "a\xe2");
}

TEST(PromptFormatTest, PrintsFields) {
  PromptStatus status;
  status.branch = "ma%in#";
  status.commit = "0123456789abcdef";
  status.ahead = 3;
  status.summary =
      "a\x1b"
      "b";
  const auto print = [&](std::string_view text, PromptReader reader = PromptReader::kPlain) {
    return value_of(PromptFormat::parse(text)).print(status, reader);
  };
  EXPECT_EQ(print(""), "");
  EXPECT_EQ(print("100%% [%(branch)] %(behind)"), "100% [ma%in#] 0");
  EXPECT_EQ(print("%(head)%(behind: v)%(ahead: ^)%(tag: t)"), "ma%in# ^3");
  EXPECT_EQ(print("%(ahead:<:>)%(behind:<:>)%(ahead?+)%(behind?-)"), "<3>+");
  EXPECT_EQ(print("%(summary)"), "a?b");
  EXPECT_EQ(print("%%%(branch)#", PromptReader::kZsh), "%ma%%in##");
  EXPECT_EQ(print("#[bold]%(branch)", PromptReader::kTmux), "#[bold]ma%in##");
  status.branch.clear();
  EXPECT_EQ(print("%(head)"), "0123456");
  EXPECT_TRUE(PromptFormat::parse(kDefaultPromptFormat).ok());
}

TEST(PromptFormatTest, AsksForTheDescriptionsThatItPrints) {
  const auto needs_of = [](std::string_view text) {
    PromptQuery query;
    value_of(PromptFormat::parse(text)).add_needs(query);
    return query;
  };
  EXPECT_EQ(needs_of("%(branch) %(tag)"), PromptQuery());
  EXPECT_EQ(needs_of("%(describe: )").describe, true);
  EXPECT_EQ(needs_of("%(describe: )").describe_tags, false);
  EXPECT_EQ(needs_of("%(describe: )").tag, false);
  EXPECT_EQ(needs_of("%(tag? tagged)").tag, true);
  for (const char* text : {"%(describe-tags)", "%(nearest-tag)", "%(tag-distance?+)"}) {
    EXPECT_EQ(needs_of(text).describe, false) << text;
    EXPECT_EQ(needs_of(text).describe_tags, true) << text;
  }
}

TEST(PromptFormatTest, KnowsEveryFieldAndNoOther) {
  PromptStatus status;
  const auto parses = [](std::string_view name, const auto&) {
    EXPECT_TRUE(PromptFormat::parse("%(" + std::string(name) + ")").ok()) << name;
  };
  visit_prompt_fields(status, parses);
  visit_description_fields(status, parses);
  for (const char* text : {"%", "%x", "%(", "%(branch", "%()", "%(nothing)", "%( branch)", "a%b"}) {
    const auto format = PromptFormat::parse(text);
    ASSERT_FALSE(format.ok()) << text;
    EXPECT_EQ(format.error().code, ErrorCode::kInvalid);
  }
}

}  // namespace
}  // namespace resident
