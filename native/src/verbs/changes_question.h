// "What changed since this token?", carried from a client to the resident process and answered
// there.
//
// Fields of the question: the verb, for whom ("git", "git-keeping-modules" or "people", as in
// WorktreeModel::ChangesFor), the token, then where the asker's git has its repository and its
// index, and its worktree ("" where it is to find them itself). Fields of the answer: "all" or
// "some", the next token, then the names one by one; or, as of every verb, "error" and a message.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/worktree_model.h"

namespace resident {

struct ChangesQuestion {
  WorktreeModel::ChangesFor whom = WorktreeModel::ChangesFor::kGit;
  std::string token;
  // Absolute paths without symbolic links; what git's environment says, where it says so.
  std::string git_dir = {};
  std::string index_file = {};
  std::string worktree = {};
};
using ChangesReply = WorktreeModel::Changes;

std::string encode_changes_question(const ChangesQuestion& question);
Result<ChangesQuestion> decode_changes_question(std::string_view payload);
std::string encode_changes_reply(const ChangesReply& reply);
// What the process at the other end said: an error of its own is kIo.
Result<ChangesReply> decode_changes_reply(std::string_view payload);

// In a turn of the model. Everything changed for a git with another repository or index. kPending:
// ask again once git has told its config.
Result<ChangesReply> answer_changes(const ChangesQuestion& question, WorktreeModel& model);

}  // namespace resident
