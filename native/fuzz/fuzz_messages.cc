// Any bytes as what comes over the socket, and as what `git status --porcelain=v2 -z` prints.
#include "fuzz/fuzz_target.h"
#include "porcelain/status_options.h"
#include "status/ask_git.h"
#include "verbs/prompt_question.h"
#include "verbs/status_question.h"

namespace resident {
namespace {

const FuzzTarget messages_target("messages", [](Bytes bytes) {
  const std::string_view payload = as_text(bytes);
  if (auto question = decode_question(payload); question.ok()) {
    auto again = decode_question(encode_question(*question));
    expect(again.ok() && again->arguments == question->arguments &&
           again->prefix == question->prefix &&
           again->client.environment == question->client.environment);
    (void)parse_status_command_line(question->arguments);
  }
  if (auto reply = decode_reply(payload); reply.ok()) {
    expect(encode_reply(*reply) == payload);
  }
  if (auto question = decode_prompt_question(payload); question.ok()) {
    expect(encode_question(*question) == payload);
  }
  if (auto reply = decode_prompt_reply(payload); reply.ok()) {
    expect(decode_prompt_reply(encode_reply(*reply)).ok());
  }
  (void)parse_porcelain_v2(payload);
});

}  // namespace
}  // namespace resident
