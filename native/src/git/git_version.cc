#include "git/git_version.h"

#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string>
#include <tuple>

#include "base/thread_annotations.h"
#include "git/git_command.h"

namespace resident {

namespace {

// Which program it is: its path and what would change with its content.
using Identity = std::tuple<std::string, dev_t, ino_t, off_t, time_t, long>;

std::optional<Identity> git_on_path() {
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    const size_t colon = rest.find(':');
    const std::string candidate = std::string(rest.substr(0, colon)) + "/git";
    rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
    struct stat st;
    if (::access(candidate.c_str(), X_OK) != 0 || ::stat(candidate.c_str(), &st) != 0) continue;
    return Identity(candidate, st.st_dev, st.st_ino, st.st_size, st.st_mtim.tv_sec,
                    st.st_mtim.tv_nsec);
  }
  return std::nullopt;
}

struct Known {
  Identity program;
  GitVersion version;
};

struct Cache {
  Mutex mutex;
  std::optional<Known> known GUARDED_BY(mutex);
};

Cache& cache() {
  static Cache instance;
  return instance;
}

}  // namespace

std::optional<GitVersion> parse_git_version(std::string_view output) {
  constexpr std::string_view kBegin = "git version ";
  if (!output.starts_with(kBegin)) return std::nullopt;
  output.remove_prefix(kBegin.size());
  GitVersion version;
  const char* const end = output.data() + output.size();
  const auto major = std::from_chars(output.data(), end, version.major);
  if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') return std::nullopt;
  const auto minor = std::from_chars(major.ptr + 1, end, version.minor);
  if (minor.ec != std::errc()) return std::nullopt;
  return version;
}

Result<GitVersion> git_version() {
  const std::optional<Identity> program = git_on_path();
  if (!program) return Error{ErrorCode::kNotFound, "git: not on PATH"};
  MutexLock lock(cache().mutex);
  if (cache().known && cache().known->program == *program) return cache().known->version;
  RESIDENT_TRY(const GitOutput output, run_git({"version"}));
  const std::optional<GitVersion> version = parse_git_version(output.out);
  if (!version) return Error{ErrorCode::kCorrupt, "git version: " + output.out};
  cache().known = Known{*program, *version};
  return *version;
}

}  // namespace resident
