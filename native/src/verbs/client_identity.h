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
// config is and what it says, where the repository's parts are. Paths are without symbolic links. A
// question asked in another environment than the answerer's is not answered. What a question
// carries along itself (the settings of pathspecs) is not among them. `directory`: where git is, or
// would be, called; relative paths are told as they are seen from there.
std::string deciding_environment(const std::string& directory);

struct ClientIdentity {
  // Where git was asked for it; a worktree may be had with any git directory (GIT_WORK_TREE). "":
  // the worktree's own.
  std::string git_dir;
  std::string environment;
  // Of the git on the asker's PATH (git_program.h), which may be another one than here. Its version
  // is said where that was asked for: it takes a spawn.
  std::string git = {};
  std::string git_version = {};
};

// As fields of a message (message_fields.h). nullopt where they are not there.
void add_asker(std::string& out, const ClientIdentity& client);
std::optional<ClientIdentity> parse_client(std::string_view& rest);

// An error for people where the asker's environment is another one than here.
Result<void> check_place(const ClientIdentity& client, const Repository& repository);
// The same where the asker's git directory is another one, by whatever name. Call it after the
// model's update(): the worktree's repository can have moved.
Result<void> check_git_dir(const ClientIdentity& client, const Repository& repository);

// What differs may be a copy, or a version with the same rules. kUnknown: the version is to be
// told. After update() of a model whose git is known.
enum class GitOfAsker : uint8_t { kSame, kUnknown, kOther };
GitOfAsker compare_git(const ClientIdentity& client, const WorktreeModel& model, ClientGits& gits);

// For people, of kOther.
std::string follows_another_git(const ClientIdentity& client, const ClientGits& gits);

}  // namespace resident
