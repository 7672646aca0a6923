#include "git/git_program.h"

#include <cstdlib>
#include <string_view>

#include "os/user.h"

namespace resident {

namespace {

// execvp's search path if PATH is unset.
constexpr std::string_view kDefaultPath = "/bin:/usr/bin";

std::optional<GitProgram> program_at(const std::string& path) {
  if (!may_execute(path)) return std::nullopt;
  const std::optional<FileIdentity> file = file_identity(path);
  return file && file->is_regular ? std::optional(GitProgram{path, *file}) : std::nullopt;
}

// Calls `look(path)` for each place until it returns true.
template <typename Look>
void search_path(Look&& look) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : kDefaultPath;
  for (;;) {
    const size_t colon = rest.find(':');
    const std::string_view directory = rest.substr(0, colon);
    // An empty entry means the working directory.
    if (look(std::string(directory.empty() ? "." : directory) + "/git")) return;
    if (colon == std::string_view::npos) return;
    rest.remove_prefix(colon + 1);
  }
}

}  // namespace

std::optional<GitProgram> git_on_path() {
  std::optional<GitProgram> found;
  search_path([&found](const std::string& path) {
    found = program_at(path);
    return found.has_value();
  });
  return found;
}

std::string identity_of(const GitProgram& program) {
  std::string identity;
  for (const auto number :
       {static_cast<int64_t>(program.file.device), static_cast<int64_t>(program.file.inode),
        program.file.size, program.file.mtime_seconds, program.file.mtime_nanoseconds}) {
    identity += std::to_string(number) + ":";
  }
  return identity;
}

std::vector<std::string> git_program_places() {
  std::vector<std::string> places;
  search_path([&places](const std::string& path) {
    places.push_back(path);
    return program_at(path).has_value();
  });
  return places;
}

}  // namespace resident
