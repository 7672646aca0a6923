// Any bytes as a socket message, and as output of `git status --porcelain=v2 -z`.
#include "fuzz/fuzz_target.h"
#include "ipc/socket_verbs.h"
#include "porcelain/status_options.h"
#include "status/ask_git.h"
#include "verbs/prompt_question.h"
#include "verbs/status_question.h"

namespace resident {
namespace {

void decode_question(std::string_view message) {
  std::string_view fields = message;
  const auto verb = parse_verb(fields);
  if (!verb.ok()) return;
  if (*verb == SocketVerb::kPrompt) {
    const auto question = decode_prompt_question(fields);
    expect(!question.ok() || encode_question(*question) == message);
  }
  if (*verb != SocketVerb::kStatus) return;
  const auto question = decode_status_question(fields);
  if (!question.ok()) return;
  const std::string again = encode_question(*question);
  std::string_view fields_again = again;
  expect(parse_verb(fields_again).ok());
  const auto same = decode_status_question(fields_again);
  expect(same.ok() && same->arguments == question->arguments && same->prefix == question->prefix &&
         same->client.environment == question->client.environment);
  (void)parse_status_command_line(question->arguments);
}

const FuzzTarget messages_target("messages", [](Bytes bytes) {
  const std::string_view payload = as_text(bytes);
  decode_question(payload);
  if (auto reply = decode_reply(std::string(payload)); reply.ok()) {
    expect(encode_reply(*reply) == payload);
  }
  if (auto reply = decode_prompt_reply(payload); reply.ok()) {
    expect(decode_prompt_reply(encode_reply(*reply)).ok());
  }
  (void)parse_porcelain_v2(payload);
});

}  // namespace
}  // namespace resident
