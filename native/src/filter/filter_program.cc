#include "filter/filter_program.h"

#include <cstdlib>

#include "base/cut_text.h"
#include "base/path_parts.h"
#include "config/config_value.h"
#include "fs/real_path.h"
#include "os/process.h"
#include "os/user.h"

namespace resident {

namespace {

constexpr std::string_view kKnownProgram = "git-lfs";
// git searches _PATH_DEFPATH if PATH is not set.
constexpr std::string_view kDefaultPath = "/usr/bin:/bin";

// A word that no shell changes. git replaces "%f" by the quoted path of the file.
bool is_plain_word(std::string_view word) {
  if (word == "%f") return true;
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
  return word.find_first_not_of(kPlain) == word.npos;
}

// The word that names the program. Empty if the command is not plain or names another program.
std::string_view known_program(std::string_view command) {
  std::string_view program;
  for (std::string_view rest = command; !rest.empty();) {
    const std::string_view word = cut(rest, ' ');
    if (word.empty()) continue;
    if (!is_plain_word(word)) return {};
    if (program.empty()) program = word;
  }
  const bool is_bare = program.find('/') == program.npos;
  if (!is_bare && !program.starts_with('/')) return {};
  return base_name(program) == kKnownProgram ? program : std::string_view();
}

bool is_executable_file(FileSystem& fs, const std::string& path) {
  const Result<FileStat> stat = fs.stat(path);
  return stat.ok() && stat->kind == FileKind::kRegular && may_execute(path);
}

// git searches its own directory of commands first.
std::string search_path() {
  std::string places;
  if (const char* exec_path = std::getenv("GIT_EXEC_PATH"); exec_path && *exec_path) {
    places = exec_path;
  } else {
    const std::string prefix = git_installation_prefix();
    places = prefix + "/libexec/git-core:" + prefix + "/lib/git-core";
  }
  const char* path = std::getenv("PATH");
  return places.append(":").append(path ? path : kDefaultPath);
}

// The paths that decide which program runs, with the program last. Empty if no program is found, or
// if a directory of PATH depends on git's working directory.
std::vector<std::string> places_of(FileSystem& fs, const std::string& program) {
  if (program.starts_with('/')) {
    return is_executable_file(fs, program) ? std::vector{program} : std::vector<std::string>();
  }
  const std::string path = search_path();
  std::vector<std::string> places;
  for (std::string_view rest = path; !rest.empty();) {
    const std::string_view directory = cut(rest, ':');
    if (!directory.starts_with('/')) return {};
    places.push_back(std::string(directory).append("/").append(program));
    if (is_executable_file(fs, places.back())) return places;
  }
  return {};
}

// A script of that name can run anything. A link to a program that acts by its name can too.
bool is_known_native_program(const std::string& path) {
  return base_name(real_path(path)) == kKnownProgram && is_native_program(path);
}

std::optional<FileStat> stat_of(FileSystem& fs, const std::string& path) {
  Result<FileStat> stat = fs.stat(path);
  if (stat.ok()) return *stat;
  return stat.error().code == ErrorCode::kNotFound ? std::nullopt : std::optional(FileStat{});
}

}  // namespace

FilterProgram FilterProgram::find(FileSystem& fs, std::string_view command) {
  FilterProgram found;
  found.word_ = known_program(command);
  if (found.word_.empty()) return found;
  const Timestamp now = fs.now();
  found.places_ = places_of(fs, found.word_);
  for (const std::string& place : found.places_) found.stats_.push_back(stat_of(fs, place));
  if (found.places_.empty()) return found;
  const std::optional<FileStat>& program = found.stats_.back();
  // A second write in the same clock tick leaves the same stat data.
  const bool has_settled = program && program->mtime < now && program->ctime < now;
  if (!has_settled || !is_known_native_program(found.places_.back())) found.places_.clear();
  return found;
}

bool FilterProgram::holds(FileSystem& fs) const {
  if (!is_known() || places_of(fs, word_) != places_) return false;
  for (size_t i = 0; i < places_.size(); ++i) {
    if (stat_of(fs, places_[i]) != stats_[i]) return false;
  }
  return true;
}

}  // namespace resident
