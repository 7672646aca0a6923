// What a prompt asks the process that keeps a worktree.
//
// Fields of the question: the verb, git directory, environment, identity of the asker's git, its
// version, the query. Fields of the answer: "ok" and the status, or "error" and a message, or
// "version": ask again, with that of your git.
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
Result<PromptQuestion> decode_prompt_question(std::string_view payload);
std::string encode_reply(const PromptReply& reply);
Result<PromptReply> decode_prompt_reply(std::string_view payload);

// In a turn of the model's, which owns `gits`. kPending: ask again once git has answered.
Result<PromptReply> answer_prompt(const PromptQuestion& question, WorktreeModel& model,
                                  ClientGits& gits);

}  // namespace resident
