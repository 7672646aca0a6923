// ClientIdentity: the origin of a question. This process can have another environment or another
// git than the client. The checks decide if it can answer like the client's own git.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/worktree_model.h"
#include "verbs/client_gits.h"

namespace resident {

// Returns the environment variables of this process that can change the answer of git status: HOME,
// XDG_CONFIG_HOME and most GIT_*. One line for each variable, sorted. Paths are absolute, without
// symbolic links. A resident process refuses a question from a different environment. The question
// itself carries the pathspec settings, so they are left out.
//
// directory: the directory in which git is called. Relative paths start there.
//
// places: kLeftOut leaves out GIT_DIR, GIT_WORK_TREE and GIT_INDEX_FILE. Then the caller compares
// the directories and files that git finds by these variables.
enum class PlaceVariables : bool { kCounted, kLeftOut };
std::string deciding_environment(const std::string& directory,
                                 PlaceVariables places = PlaceVariables::kCounted);

struct ClientIdentity {
  // The client's git directory; with GIT_WORK_TREE any git directory can use a worktree. "": the
  // worktree's own.
  std::string git_dir = {};
  // The client's index; "": the place variables are part of `environment`.
  std::string index_path = {};
  std::string environment = {};
  // Identity of the git on the client's PATH (git_program.h); this process can have another git.
  // The version is only set if it was asked for, because it costs a process start.
  std::string git = {};
  std::string git_version = {};
};

// Fields of a message (message_fields.h). nullopt: the fields are missing.
void add_asker(std::string& out, const ClientIdentity& client);
std::optional<ClientIdentity> parse_client(std::string_view& rest);

// The identity of this process, for a question in `directory`. git found `repository` there.
ClientIdentity client_in(const std::string& directory, const Repository& repository);

// Fails with a message for users if the environments of the client and this process differ.
Result<void> check_place(const ClientIdentity& client, const Repository& repository);
// Fails with a message for users in two cases. The client has a different git directory or index,
// by any name. Or the config can depend on the name of the git directory. Call it after the model's
// update(): the worktree's repository can have moved.
Result<void> check_git_dir(const ClientIdentity& client, const WorktreeModel& model);

// A different git can be a copy, or a version with the same rules. kUnknown: the client must send
// its version. Call it after update() of a model whose git is known.
enum class GitOfAsker : uint8_t { kSame, kUnknown, kOther };
GitOfAsker compare_git(const ClientIdentity& client, const WorktreeModel& model, ClientGits& gits);

// The reason for kOther, for users.
std::string follows_another_git(const ClientIdentity& client, const ClientGits& gits);

}  // namespace resident
