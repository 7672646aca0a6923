#include "verbs/client_identity.h"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "fs/real_path.h"
#include "fs/same_place.h"
#include "ipc/message_fields.h"

namespace resident {

namespace {

// The same for every name of one place. A path that leads nowhere stays as it is spelled.
std::string place_of(std::string_view path, const std::string& directory) {
  std::string absolute(path);
  if (!absolute.starts_with('/')) absolute.insert(0, directory + "/");
  std::string real = real_path(absolute);
  return real.empty() ? absolute : real;
}

}  // namespace

std::string deciding_environment(const std::string& directory) {
  constexpr std::string_view kNames[] = {"HOME=", "XDG_CONFIG_HOME="};
  // git itself sets the last two for the programs that it runs, as for `git resident status`.
  constexpr std::string_view kIndifferent[] = {
      "GIT_OPTIONAL_LOCKS=", "GIT_PAGER", "GIT_EDITOR=", "GIT_ASKPASS=", "GIT_TRACE", "GIT_AUTHOR_",
      "GIT_COMMITTER_", "GIT_TERMINAL_PROMPT=", "GIT_PREFIX=", "GIT_EXEC_PATH=",
      // These are part of the question.
      "GIT_LITERAL_PATHSPECS=", "GIT_GLOB_PATHSPECS=", "GIT_NOGLOB_PATHSPECS=",
      "GIT_ICASE_PATHSPECS="};
  // Seen from the directory in which git is called.
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
  for (char** variable = environ; *variable; ++variable) {
    const std::string_view text = *variable;
    auto begins = [text](std::string_view name) { return text.starts_with(name); };
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
  add_field(out, client.environment);
  add_field(out, client.git);
  add_field(out, client.git_version);
}

std::optional<ClientIdentity> parse_client(std::string_view& rest) {
  ClientIdentity client;
  for (std::string* into :
       {&client.git_dir, &client.environment, &client.git, &client.git_version}) {
    const auto field = parse_field(rest);
    if (!field) return std::nullopt;
    *into = *field;
  }
  return client;
}

Result<void> check_place(const ClientIdentity& client, const Repository& repository) {
  if (client.environment != deciding_environment(repository.worktree)) {
    return Error{ErrorCode::kInvalid,
                 "the resident process has a different environment (HOME, XDG_CONFIG_HOME, GIT_*)"};
  }
  return {};
}

Result<void> check_git_dir(const ClientIdentity& client, const Repository& repository) {
  if (!client.git_dir.empty() && !is_same_directory(client.git_dir, repository.git_dir)) {
    return Error{ErrorCode::kInvalid,
                 "the resident process uses a different git directory for this worktree: " +
                     repository.git_dir};
  }
  return {};
}

GitOfAsker compare_git(const ClientIdentity& client, const WorktreeModel& model, ClientGits& gits) {
  if (client.git == model.git_identity()) return GitOfAsker::kSame;
  std::optional<GitVersion> version;
  if (client.git_version.empty()) {
    version = gits.version_of(client.git);
    if (!version) return GitOfAsker::kUnknown;
  } else {
    version = parse_git_version("git version " + client.git_version);
    if (version) gits.note(client.git, *version);
  }
  return version && git_rules(*version) == *model.git_rules() ? GitOfAsker::kSame
                                                              : GitOfAsker::kOther;
}

std::string follows_another_git(const ClientIdentity& client, const ClientGits& gits) {
  const std::optional<GitVersion> version =
      client.git_version.empty() ? gits.version_of(client.git) : std::nullopt;
  return "the resident process uses a different git, not git " +
         (version ? to_string(*version) : client.git_version) + " from PATH";
}

}  // namespace resident
