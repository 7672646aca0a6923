#include "cli/git_command_line.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/unique_fd.h"

namespace resident {

namespace {

constexpr size_t kMostOfCommandLine = size_t{64} << 10;

constexpr std::string_view kKeepingModules[] = {
    "add",   "checkout", "commit", "describe", "diff",   "diff-files", "diff-index",  "ls-files",
    "merge", "reset",    "stash",  "restore",  "status", "switch",     "update-index"};
// An option that is neither could have a value that looks like a command.
constexpr std::string_view kOptions[] = {"-p",
                                         "--paginate",
                                         "-P",
                                         "--no-pager",
                                         "--no-optional-locks",
                                         "--no-replace-objects",
                                         "--no-lazy-fetch",
                                         "--no-advice",
                                         "--literal-pathspecs",
                                         "--glob-pathspecs",
                                         "--noglob-pathspecs",
                                         "--icase-pathspecs"};
constexpr std::string_view kOptionsWithValue[] = {
    "-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--attr-source"};

template <size_t N>
bool is_among(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// What stands before the first NUL, which goes too; nullopt without one.
std::optional<std::string_view> take_word(std::string_view& words) {
  const size_t end = words.find('\0');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view word = words.substr(0, end);
  words.remove_prefix(end + 1);
  return word;
}

}  // namespace

std::string command_line_of(pid_t process) {
  const std::string path = "/proc/" + std::to_string(process) + "/cmdline";
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return {};
  std::string words(kMostOfCommandLine, '\0');
  const ssize_t size = ::read(file.get(), words.data(), words.size());
  words.resize(size < 0 ? 0 : static_cast<size_t>(size));
  return words;
}

bool keeps_modules(std::string_view command_line) {
  const auto program = take_word(command_line);
  if (!program || program->substr(program->rfind('/') + 1) != "git") return false;
  while (const auto word = take_word(command_line)) {
    if (!word->starts_with('-')) return is_among(kKeepingModules, *word);
    const bool is_whole = word->starts_with("--") && word->find('=') != std::string_view::npos;
    if (is_among(kOptionsWithValue, *word)) {
      if (!take_word(command_line)) return false;
    } else if (!is_whole && !is_among(kOptions, *word)) {
      return false;
    }
  }
  return false;
}

}  // namespace resident
