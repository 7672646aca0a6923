#include "verbs/prompt_question.h"

#include <optional>
#include <utility>

#include "git/git_program.h"
#include "ipc/message_fields.h"
#include "ipc/socket_verbs.h"

namespace resident {

namespace {

constexpr std::string_view kOk = "ok";
constexpr std::string_view kError = "error";
constexpr std::string_view kVersion = "version";

GitOfAsker git_of(const ClientIdentity& client, const WorktreeModel& model, ClientGits& gits) {
  if (model.git_rules()) return compare_git(client, model, gits);
  // Only git reads this repository, and the rules of that git are unknown.
  const std::optional<GitProgram> git = git_on_path();
  return git && client.git == identity_of(*git) ? GitOfAsker::kSame : GitOfAsker::kOther;
}

PromptReply refusal(std::string message) {
  return {PromptReply::Kind::kError, std::move(message), {}};
}

}  // namespace

std::string encode_question(const PromptQuestion& question) {
  std::string out;
  add_field(out, name_of(SocketVerb::kPrompt));
  add_asker(out, question.client);
  add_field(out, encode_prompt_query(question.query));
  return out;
}

Result<PromptQuestion> decode_prompt_question(std::string_view fields) {
  auto client = parse_client(fields);
  const auto query = parse_field(fields);
  if (!client || !query || !fields.empty()) return malformed_message();
  PromptQuestion question;
  RESIDENT_TRY(question.query, decode_prompt_query(*query));
  question.client = *std::move(client);
  return question;
}

std::string encode_reply(const PromptReply& reply) {
  std::string out;
  switch (reply.kind) {
    case PromptReply::Kind::kOk:
      add_field(out, kOk);
      return out + encode_prompt_status(reply.status);
    case PromptReply::Kind::kError:
      add_field(out, kError);
      return out + reply.message;
    case PromptReply::Kind::kVersion:
      add_field(out, kVersion);
      return out;
  }
  return out;
}

Result<PromptReply> decode_prompt_reply(std::string_view payload) {
  const auto kind = parse_field(payload);
  PromptReply reply;
  if (kind == kOk) {
    RESIDENT_TRY(reply.status, decode_prompt_status(payload));
  } else if (kind == kError) {
    reply = refusal(std::string(payload));
  } else if (kind == kVersion) {
    reply.kind = PromptReply::Kind::kVersion;
  } else {
    return malformed_message();
  }
  return reply;
}

Result<PromptReply> answer_prompt(const PromptQuestion& question, const Result<void>& updated,
                                  WorktreeModel& model, ClientGits& gits) {
  const auto failed = [](const Error& error) -> Result<PromptReply> {
    if (error.code == ErrorCode::kPending) return error;
    return refusal(error.message);
  };
  if (const Result<void> same = check_place(question.client, model.repository()); !same.ok()) {
    return refusal(same.error().message);
  }
  if (!updated.ok() && updated.error().code == ErrorCode::kPending) return updated.error();
  if (const Result<void> same = check_git_dir(question.client, model); !same.ok()) {
    return refusal(same.error().message);
  }
  if (!updated.ok()) return failed(updated.error());
  if (!model.is_delegated()) RESIDENT_CHECK(model.check_known());
  switch (git_of(question.client, model, gits)) {
    case GitOfAsker::kSame:
      break;
    case GitOfAsker::kUnknown:
      return PromptReply{PromptReply::Kind::kVersion, {}, {}};
    case GitOfAsker::kOther:
      return refusal(follows_another_git(question.client, gits));
  }
  Result<PromptStatus> status = model.prompt(question.query);
  if (!status.ok()) return failed(status.error());
  return PromptReply{PromptReply::Kind::kOk, {}, std::move(status).value()};
}

}  // namespace resident
