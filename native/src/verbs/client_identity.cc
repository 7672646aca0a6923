#include "verbs/client_identity.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "fs/real_path.h"
#include "fs/same_place.h"
#include "git/git_program.h"
#include "ipc/message_fields.h"
#include "os/environment.h"
#include "os/file_identity.h"

namespace resident {

namespace {

// Maps all names of a place to one. A path to a missing file stays as written.
std::string place_of(std::string_view path, const std::string& directory) {
  std::string absolute(path);
  if (!absolute.starts_with('/')) absolute.insert(0, directory + "/");
  std::string real = real_path(absolute);
  return real.empty() ? absolute : real;
}

constexpr std::string_view kExecPath = "GIT_EXEC_PATH=";
constexpr std::string_view kPlaces[] = {"GIT_DIR=", "GIT_WORK_TREE=", "GIT_INDEX_FILE="};

bool is_script(const std::string& path) {
  char start[2] = {};
  std::FILE* const file = std::fopen(path.c_str(), "rbe");
  if (!file) return false;
  const bool is_read = std::fread(start, 1, sizeof start, file) == sizeof start;
  std::fclose(file);
  return is_read && start[0] == '#' && start[1] == '!';
}

// True if the directory contains a different git. For some work, such as the status of a submodule,
// a running git starts the git in GIT_EXEC_PATH. It sets this variable for each program that it
// runs. A package can install copies of the same git. A script in place of git runs a git of its
// choice, which then sets the variable: the variable says nothing new.
bool names_another_git(const std::string& exec_path) {
  const std::optional<FileIdentity> named = file_identity(exec_path + "/git");
  if (!named) return false;
  const std::optional<GitProgram> found = git_on_path();
  if (!found) return true;
  const bool is_same = named->size == found->file.size &&
                       named->mtime_seconds == found->file.mtime_seconds &&
                       named->mtime_nanoseconds == found->file.mtime_nanoseconds;
  return !is_same && !is_script(found->path);
}

}  // namespace

std::string deciding_environment(const std::string& directory, PlaceVariables places) {
  constexpr std::string_view kNames[] = {"HOME=", "XDG_CONFIG_HOME="};
  constexpr std::string_view kIndifferent[] = {
      "GIT_OPTIONAL_LOCKS=", "GIT_PAGER", "GIT_EDITOR=", "GIT_ASKPASS=", "GIT_TRACE", "GIT_AUTHOR_",
      "GIT_COMMITTER_", "GIT_TERMINAL_PROMPT=", "GIT_PREFIX=",
      // git reads these for commands that write.
      "GIT_SEQUENCE_EDITOR=", "GIT_REFLOG_ACTION=", "GIT_MERGE_AUTOEDIT=", "GIT_MERGE_VERBOSITY=",
      // Shells read these for their prompt and for completion, and git does not.
      "GIT_PS1_", "GIT_COMPLETION_",
      // These are part of the question.
      "GIT_LITERAL_PATHSPECS=", "GIT_GLOB_PATHSPECS=", "GIT_NOGLOB_PATHSPECS=",
      "GIT_ICASE_PATHSPECS="};
  // Relative paths start in the directory in which git is called.
  constexpr std::string_view kPaths[] = {"HOME=",
                                         "XDG_CONFIG_HOME=",
                                         "GIT_DIR=",
                                         "GIT_WORK_TREE=",
                                         "GIT_COMMON_DIR=",
                                         "GIT_OBJECT_DIRECTORY=",
                                         "GIT_CONFIG_GLOBAL=",
                                         "GIT_CONFIG_SYSTEM=",
                                         "GIT_ALTERNATE_OBJECT_DIRECTORIES="};
  std::vector<std::string> found;
  for (auto variable = environment_variables(); *variable; ++variable) {
    const std::string_view text = *variable;
    auto begins = [text](std::string_view name) { return text.starts_with(name); };
    if (places == PlaceVariables::kLeftOut &&
        std::any_of(std::begin(kPlaces), std::end(kPlaces), begins)) {
      continue;
    }
    if (begins(kExecPath) && !names_another_git(std::string(text.substr(kExecPath.size())))) {
      continue;
    }
    const bool decides = std::any_of(std::begin(kNames), std::end(kNames), begins) ||
                         (text.starts_with("GIT_") &&
                          std::none_of(std::begin(kIndifferent), std::end(kIndifferent), begins));
    if (!decides) continue;
    found.emplace_back(text);
    const size_t value = text.find('=') + 1;
    const bool is_path = std::any_of(std::begin(kPaths), std::end(kPaths), begins);
    if (is_path && value < text.size()) {
      found.back().replace(value, std::string::npos, place_of(text.substr(value), directory));
    }
  }
  std::sort(found.begin(), found.end());
  std::string out;
  for (const std::string& text : found) out.append(text).push_back('\n');
  return out;
}

void add_asker(std::string& out, const ClientIdentity& client) {
  add_field(out, client.git_dir);
  add_field(out, client.index_path);
  add_field(out, client.environment);
  add_field(out, client.git);
  add_field(out, client.git_version);
}

std::optional<ClientIdentity> parse_client(std::string_view& rest) {
  ClientIdentity client;
  for (std::string* into : {&client.git_dir, &client.index_path, &client.environment, &client.git,
                            &client.git_version}) {
    const auto field = parse_field(rest);
    if (!field) return std::nullopt;
    *into = *field;
  }
  return client;
}

ClientIdentity client_in(const std::string& directory, const Repository& repository) {
  const char* const named = std::getenv("GIT_DIR");
  std::string git_dir = named ? named : repository.git_dir;
  if (!git_dir.starts_with('/')) git_dir.insert(0, directory + "/");
  return {.git_dir = std::move(git_dir),
          .index_path = repository.index_path,
          .environment = deciding_environment(directory, PlaceVariables::kLeftOut)};
}

Result<void> check_place(const ClientIdentity& client, const Repository& repository) {
  const auto places =
      client.index_path.empty() ? PlaceVariables::kCounted : PlaceVariables::kLeftOut;
  if (client.environment != deciding_environment(repository.worktree, places)) {
    return Error{ErrorCode::kInvalid,
                 "the resident process has a different environment (HOME, XDG_CONFIG_HOME, GIT_*)"};
  }
  return {};
}

namespace {

// `includeIf "gitdir:"` matches the name of the git directory, and the client's name may differ.
bool name_may_decide_config(const std::string& git_dir, const WorktreeModel& model) {
  const Repository& repository = model.repository();
  if (git_dir == repository.git_dir || git_dir == repository.worktree + "/.git") return false;
  const RepositoryState* const state = model.repository_state();
  if (!state || model.is_delegated()) return true;
  const auto& entries = state->config().entries();
  return std::any_of(entries.begin(), entries.end(), [](const ConfigEntry& entry) {
    return entry.key.starts_with("includeif.gitdir");
  });
}

}  // namespace

Result<void> check_git_dir(const ClientIdentity& client, const WorktreeModel& model) {
  const Repository& repository = model.repository();
  if (!client.git_dir.empty() && !is_same_directory(client.git_dir, repository.git_dir)) {
    return Error{ErrorCode::kInvalid,
                 "the resident process uses a different git directory for this worktree: " +
                     repository.git_dir};
  }
  // `git commit <path>` uses a temporary index of its own beside the kept index.
  if (!client.index_path.empty() && !is_same_name(client.index_path, repository.index_path)) {
    return Error{ErrorCode::kInvalid,
                 "the resident process uses a different index: " + repository.index_path};
  }
  if (!client.git_dir.empty() && name_may_decide_config(client.git_dir, model)) {
    return Error{ErrorCode::kInvalid,
                 "the config may depend on the name of the git directory: " + client.git_dir};
  }
  return {};
}

GitOfAsker compare_git(const ClientIdentity& client, const WorktreeModel& model, ClientGits& gits) {
  const RepositoryState& state = *model.repository_state();
  if (client.git == state.git_identity()) return GitOfAsker::kSame;
  std::optional<GitVersion> version;
  if (client.git_version.empty()) {
    version = gits.version_of(client.git);
    if (!version) return GitOfAsker::kUnknown;
  } else {
    version = parse_git_version("git version " + client.git_version);
    if (version) gits.note(client.git, *version);
  }
  return version && git_rules(*version) == state.git_rules() ? GitOfAsker::kSame
                                                             : GitOfAsker::kOther;
}

std::string follows_another_git(const ClientIdentity& client, const ClientGits& gits) {
  const std::optional<GitVersion> version =
      client.git_version.empty() ? gits.version_of(client.git) : std::nullopt;
  return "the resident process uses a different git, not git " +
         (version ? to_string(*version) : client.git_version) + " from PATH";
}

}  // namespace resident
