// ClientIdentity: where a question came from, and whether this process, which may have another
// environment or another git, can answer it as the asker's own git would.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/worktree_model.h"
#include "verbs/client_gits.h"

namespace resident {

// The variables of this process's environment that can change what git says of a worktree: where
// Returns the environment variables of this process that can change the answer of git status: HOME,
// XDG_CONFIG_HOME and most GIT_*. A line each, sorted. Paths are absolute, without symbolic links.
// A resident process refuses a question from a different environment. The question itself carries
// the pathspec settings, so these are left out.
// directory: the directory in which git is called. Relative paths start there.
//
// places: kLeftOut leaves out GIT_DIR, GIT_WORK_TREE and GIT_INDEX_FILE. Then the caller compares
// the directories and files that git finds by these variables.
enum class PlaceVariables : bool { kCounted, kLeftOut };
std::string deciding_environment(const std::string& directory,
                                 PlaceVariables places = PlaceVariables::kCounted);

struct ClientIdentity {
  // Where git was asked for it; a worktree may be had with any git directory (GIT_WORK_TREE). "":
  // the worktree's own.
  std::string git_dir = {};
  // The index as git found it for the asker; "" where the place variables are in `environment`.
  std::string index_path = {};
  std::string environment = {};
  // Of the git on the asker's PATH (git_program.h), which may be another one than here. Its version
  // is said where that was asked for: it takes a spawn.
  std::string git = {};
  std::string git_version = {};
};

// As fields of a message (message_fields.h). nullopt where they are not there.
void add_asker(std::string& out, const ClientIdentity& client);
std::optional<ClientIdentity> parse_client(std::string_view& rest);

// The identity of this process, for a question in `directory`. git found `repository` there.
ClientIdentity client_in(const std::string& directory, const Repository& repository);

// Fails with a message for users if the environments of the client and this process differ.
Result<void> check_place(const ClientIdentity& client, const Repository& repository);
// Fails with a message for users if the git directory or the index of the client is different, by
// any name, or if the config can depend on the name of the git directory. Call it after the model's
// update(): the worktree's repository can have moved.
Result<void> check_git_dir(const ClientIdentity& client, const WorktreeModel& model);

// What differs may be a copy, or a version with the same rules. kUnknown: the version is to be
// told. After update() of a model whose git is known.
enum class GitOfAsker : uint8_t { kSame, kUnknown, kOther };
GitOfAsker compare_git(const ClientIdentity& client, const WorktreeModel& model, ClientGits& gits);

// For people, of kOther.
std::string follows_another_git(const ClientIdentity& client, const ClientGits& gits);

}  // namespace resident
