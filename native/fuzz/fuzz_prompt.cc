// "<size> <bytes>": a stream of requests in pieces of that size. The same bytes then serve as a
// socket's query and status, as a format and as options. Each answer is one record.
#include <algorithm>
#include <string>

#include "fuzz/fuzz_target.h"
#include "prompt/prompt_format.h"
#include "prompt/prompt_limits.h"
#include "prompt/prompt_options.h"
#include "prompt/prompt_request.h"

namespace resident {
namespace {

// The response ends at its record separator, has `fields` fields, and contains no terminal
// controls.
void expect_record(const std::string& response, int fields) {
  expect(response.back() == kRecordSeparator);
  int separators = 0;
  for (const char c : std::string_view(response).substr(0, response.size() - 1)) {
    const auto byte = static_cast<unsigned char>(c);
    separators += c == kUnitSeparator;
    expect(c == kUnitSeparator || (byte >= 0x20 && byte != 0x7f));
  }
  expect(separators == fields - 1);
}

void expect_prompts(const PromptStatus& status, std::string_view text) {
  constexpr int kFields = 29;
  PromptLimits limits;
  limits.summary_bytes = text.size() / 2;
  PromptStatus cut = status;
  apply(limits, cut);
  expect(cut.summary.size() <= limits.summary_bytes);
  expect_record(prompt_response(text, cut), kFields);
  for (const PromptReader reader :
       {PromptReader::kPlain, PromptReader::kZsh, PromptReader::kTmux}) {
    if (const auto format = PromptFormat::parse(text); format.ok()) {
      (void)format->print(status, reader);
    }
  }
}

const FuzzTarget prompt_target("prompt", [](Bytes bytes) {
  FuzzInput input(bytes);
  const size_t piece = size_t{input.byte()} + 1;
  const std::string_view text = input.rest();
  PromptRequestReader reader;
  size_t taken = 0;
  for (size_t at = 0; at < text.size(); at += piece) {
    reader.add(text.substr(at, piece));
    while (const auto record = reader.next()) {
      expect(record->bytes.size() <= PromptRequestReader::kLongest);
      taken += record->bytes.size() + 1;
      const auto request = parse_prompt_request(record->bytes);
      if (request.ok()) {
        expect(request_id(record->bytes) == request->id);
        expect(request->directory.find('\0') == std::string::npos);
        expect_record(no_repository_response(request->id), 2);
      }
    }
  }
  expect(taken <= text.size());

  PromptStatus status;
  status.branch = status.summary = status.worktree = text;
  expect_prompts(status, text);
  if (auto decoded = decode_prompt_status(text); decoded.ok()) {
    expect(decode_prompt_status(encode_prompt_status(*decoded)).ok());
    expect_prompts(*decoded, text);
  }
  if (auto query = decode_prompt_query(text); query.ok()) {
    expect(encode_prompt_query(*query) == text);
  }
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == ' ') {
      words.emplace_back();
    } else {
      words.back().push_back(c);
    }
  }
  (void)parse_prompt_options(words);
});

}  // namespace
}  // namespace resident
