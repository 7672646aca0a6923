// A status command line, carried from a client in a terminal to the resident process and answered
// there.
//
// Fields of the question: the verb, prefix, git directory, environment, identity of the asker's
// git, its version, surroundings, then git's arguments one by one. Fields of the answer: "ok",
// standard error, standard output; or "git", why: let git answer; or "error", message; or
// "version": ask again, with that of your git.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/worktree_model.h"
#include "porcelain/status_request.h"
#include "verbs/client_identity.h"

namespace resident {

struct StatusQuestion {
  std::string prefix;  // the directory asked from: "" or "sub/dir/"
  ClientIdentity client;
  StatusSurroundings surroundings;
  std::vector<std::string> arguments;  // without --source
};

struct StatusReply {
  // kGit: hand the command to git, `text` says why. kError: `text` is the message. kVersion: ask
  // again, and say the version of your git.
  enum class Kind : uint8_t { kOk, kGit, kError, kVersion } kind = Kind::kOk;
  std::string text;         // standard output for kOk
  std::string errors = {};  // standard error for kOk, where it is git that answers
};

std::string encode_question(const StatusQuestion& question);
Result<StatusQuestion> decode_question(std::string_view payload);
std::string encode_reply(const StatusReply& reply);
Result<StatusReply> decode_reply(std::string_view payload);

// In a turn of the model's, which owns `gits`. kPending: ask again once git has answered.
Result<StatusReply> answer_question(const StatusQuestion& question, WorktreeModel& model,
                                    ClientGits& gits);

}  // namespace resident
