// A status command line, sent by a client in a terminal and answered in the resident process.
//
// Fields of the question: the verb, the prefix, the client (client_identity.h), the surroundings,
// then each of git's arguments. The answer is one of four:
// - "ok", standard error, standard output;
// - "git", reason: the client must run git;
// - "error", message;
// - "version": ask again, with the version of your git.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "model/worktree_model.h"
#include "porcelain/status_request.h"
#include "verbs/client_identity.h"

namespace resident {

struct StatusQuestion {
  std::string prefix;  // client's directory: "" or "sub/dir/"
  ClientIdentity client;
  StatusSurroundings surroundings;
  std::vector<std::string> arguments;  // without --source
};

struct StatusReply {
  // kGit: run git, `text` is the reason. kError: `text` is the message. kVersion: ask again with
  // the version of your git.
  enum class Kind : uint8_t { kOk, kGit, kError, kVersion } kind = Kind::kOk;
  std::string text;         // standard output for kOk
  std::string errors = {};  // standard error for kOk, if git answered
};

// An answer that is not printed yet.
struct UnprintedStatus {
  StatusResult status;
  PrintOptions print;
};
using StatusAnswer = std::variant<StatusReply, UnprintedStatus>;

std::string encode_question(const StatusQuestion& question);
// Reads the fields after the verb.
Result<StatusQuestion> decode_status_question(std::string_view fields);
std::string encode_reply(const StatusReply& reply);
// Takes time for many rows: prints them, straight into the message. On any thread.
std::string encode_reply(const StatusAnswer& answer);
// The number of rows that encode_reply() prints.
size_t rows_to_print(const StatusAnswer& answer);
Result<StatusReply> decode_reply(std::string payload);

// Call in a turn of the model's owner, which also owns `gits`. The caller has just updated the
// model, with the result `updated`. kPending: ask again after git has answered.
Result<StatusAnswer> answer_status(const StatusQuestion& question, const Result<void>& updated,
                                   WorktreeModel& model, ClientGits& gits);

}  // namespace resident
