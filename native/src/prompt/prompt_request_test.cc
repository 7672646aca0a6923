#include "prompt/prompt_request.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testing/value_of.h"

namespace resident {
namespace {

using testing::value_of;
using namespace std::string_literals;

TEST(PromptRequestTest, TakesTheDocumentedForms) {
  EXPECT_EQ(value_of(parse_prompt_request("id\x1f/r")), (PromptRequest{"id", "/r", false, true}));
  EXPECT_EQ(value_of(parse_prompt_request("\x1f/r\x1f"
                                          "0")),
            (PromptRequest{"", "/r", false, true}));
  EXPECT_EQ(value_of(parse_prompt_request("i\x1f:/r/.git\x1f"
                                          "1")),
            (PromptRequest{"i", "/r/.git", true, false}));
  EXPECT_EQ(value_of(parse_prompt_request("}hello\x1f")),
            (PromptRequest{"}hello", "", false, true}));
}

TEST(PromptRequestTest, RefusesEverythingElse) {
  for (const std::string& record : {""s, "id"s, "id\x1f/r\x1f"s,
                                    "id\x1f/r\x1f"
                                    "2"s,
                                    "id\x1f/r\x1f"
                                    "0\x1f"s,
                                    "id\x1f/r\x1f"
                                    "01"s,
                                    "id\x1f/r\0/x"s}) {
    const auto request = parse_prompt_request(record);
    ASSERT_FALSE(request.ok()) << record;
    EXPECT_EQ(request.error().code, ErrorCode::kInvalid);
  }
  EXPECT_EQ(request_id("id\x1f/r\x1f"
                       "2"),
            "id");
  EXPECT_EQ(request_id("id"), std::nullopt);
}

std::vector<PromptRequestReader::Record> read(PromptRequestReader& reader, std::string_view bytes) {
  std::vector<PromptRequestReader::Record> records;
  reader.add(bytes);
  while (auto record = reader.next()) records.push_back(*record);
  return records;
}

TEST(PromptRequestTest, RecordsComeInAnyPieces) {
  const std::string bytes =
      "a\x1f/r\x1e\x1e"
      "b\x1f/s\x1e";
  for (size_t size = 1; size <= bytes.size(); ++size) {
    PromptRequestReader reader;
    std::vector<std::string> found;
    for (size_t at = 0; at < bytes.size(); at += size) {
      for (const auto& record : read(reader, std::string_view(bytes).substr(at, size))) {
        EXPECT_FALSE(record.is_cut);
        found.push_back(record.bytes);
      }
    }
    EXPECT_EQ(found, (std::vector<std::string>{"a\x1f/r", "", "b\x1f/s"})) << size;
  }
}

TEST(PromptRequestTest, ARecordWithoutAnEndIsBounded) {
  PromptRequestReader reader;
  const std::string flood(1 << 20, 'x');
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(read(reader, "id\x1f" + flood).empty());
  auto records = read(reader,
                      "\x1e"
                      "b\x1f/s\x1e");
  ASSERT_EQ(records.size(), 2u);
  EXPECT_TRUE(records[0].is_cut);
  EXPECT_EQ(records[0].bytes.size(), PromptRequestReader::kLongest);
  EXPECT_EQ(request_id(records[0].bytes), "id");
  EXPECT_FALSE(records[1].is_cut);
  EXPECT_EQ(records[1].bytes, "b\x1f/s");
}

TEST(PromptRequestTest, AResponseHasItsFieldsInOrderAndNoControlCharacters) {
  PromptStatus status;
  status.worktree = "/r\x1f\x1e\n";
  status.branch = "m\xc3\xa4in\x7f";
  status.stashes = 7;
  status.summary = "\x1b[31mred";
  const std::string response = prompt_response("i\x1e", status);
  std::vector<std::string> fields(1);
  for (const char c : response.substr(0, response.size() - 1)) {
    if (c == kUnitSeparator) {
      fields.emplace_back();
    } else {
      fields.back().push_back(c);
    }
  }
  EXPECT_EQ(response.back(), kRecordSeparator);
  ASSERT_EQ(fields.size(), 29u);
  EXPECT_EQ(fields[0], "i?");
  EXPECT_EQ(fields[1], "1");
  EXPECT_EQ(fields[2], "/r???");
  EXPECT_EQ(fields[4], "m\xc3\xa4in?");
  EXPECT_EQ(fields[16], "7");
  EXPECT_EQ(fields[28], "?[31mred");
  EXPECT_EQ(no_repository_response("i"),
            "i\x1f"
            "0\x1e");
}

}  // namespace
}  // namespace resident
