// The question of a prompt to the process that keeps a worktree.
//
// Fields of the question: the verb, the client (client_identity.h), the query. Fields of the
// answer: "ok" and the status, or "error" and a message, or "version". "version": ask again, with
// the version of your git.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/worktree_model.h"
#include "prompt/prompt_status.h"
#include "verbs/client_identity.h"

namespace resident {

struct PromptQuestion {
  ClientIdentity client;
  PromptQuery query;
};

struct PromptReply {
  enum class Kind : uint8_t { kOk, kError, kVersion } kind = Kind::kOk;
  std::string message = {};  // for kError
  PromptStatus status = {};
};

std::string encode_question(const PromptQuestion& question);
// Reads the fields after the verb.
Result<PromptQuestion> decode_prompt_question(std::string_view fields);
std::string encode_reply(const PromptReply& reply);
Result<PromptReply> decode_prompt_reply(std::string_view payload);

// Call in a turn of the model's owner, which also owns `gits`. The caller has just updated the
// model, with the result `updated`. kPending: ask again after git has answered.
Result<PromptReply> answer_prompt(const PromptQuestion& question, const Result<void>& updated,
                                  WorktreeModel& model, ClientGits& gits);

}  // namespace resident
