// The question "which files changed since this token?", sent by a client and answered in the
// resident process.
//
// Fields of the question:
// - the verb;
// - the asker: "git", "git-keeping-modules" or "people", as in WorktreeModel::ChangesFor;
// - the token;
// - the git directory, the index file and the worktree of the asker's git; "": found by the default
// rules.
//
// Fields of the answer: "all" or "some", the next token, then each name. Like every verb, it can
// answer "error" and a message.
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
  // Absolute paths without symbolic links, from git's environment; "": not set there.
  std::string git_dir = {};
  std::string index_file = {};
  std::string worktree = {};
};
using ChangesReply = WorktreeModel::Changes;

// The reply when the changes are unknown.
ChangesReply everything_changed();

std::string encode_changes_question(const ChangesQuestion& question);
// Reads the fields after the verb.
Result<ChangesQuestion> decode_changes_question(std::string_view fields);
std::string encode_reply(const ChangesReply& reply);
// Reads the peer's reply. An error of the peer is kIo.
Result<ChangesReply> decode_changes_reply(std::string_view payload);

// Call in a turn of the model. For a git with another repository or index everything changed.
// kPending: ask again after git has told its config.
Result<ChangesReply> answer_changes(const ChangesQuestion& question, WorktreeModel& model);

}  // namespace resident
