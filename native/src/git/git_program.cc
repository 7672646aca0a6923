#include "git/git_program.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace resident {

namespace {

// Where execvp looks without a PATH.
constexpr std::string_view kDefaultPath = "/bin:/usr/bin";

std::optional<GitProgram> program_at(const std::string& path) {
  struct stat st;
  if (::access(path.c_str(), X_OK) != 0 || ::stat(path.c_str(), &st) != 0) return std::nullopt;
  if (!S_ISREG(st.st_mode)) return std::nullopt;
  return GitProgram{path, st.st_dev, st.st_ino, st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec};
}

// Calls `look(path)` for each place until it returns true.
template <typename Look>
void search_path(Look&& look) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : kDefaultPath;
  for (;;) {
    const size_t colon = rest.find(':');
    const std::string_view directory = rest.substr(0, colon);
    // An empty one is the working directory.
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
       {static_cast<int64_t>(program.device), static_cast<int64_t>(program.inode), program.size,
        program.mtime_seconds, program.mtime_nanoseconds}) {
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
