#include "repository/repository.h"

#include <cstdlib>
#include <string_view>
#include <vector>

#include "fs/real_path.h"
#include "git/git_command.h"
#include "git/git_rules.h"
#include "os/environment.h"

namespace resident {

namespace {

// Separates the answers of rev-parse. Each answer ends with a newline, but a path may contain
// newlines too. An unknown option is repeated in the output, so this one marks the end of an
// answer.
constexpr std::string_view kMark = "--resident-git-next-answer";

std::vector<std::string> split_answers(std::string_view text) {
  const std::string separator = "\n" + std::string(kMark) + "\n";
  std::vector<std::string> answers;
  for (;;) {
    size_t end = text.find(separator);
    answers.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return answers;
    text.remove_prefix(end + separator.size());
  }
}

ErrorCode refusal_code(std::string_view err) {
  auto says = [&](std::string_view words) { return err.find(words) != std::string_view::npos; };
  if (says("dubious ownership") || says("unsafe repository")) return ErrorCode::kUnsafe;
  if (says("not a git repository") || says("cannot change to")) return ErrorCode::kNotFound;
  if (says("must be run in a work tree")) return ErrorCode::kInvalid;
  if (says("Permission denied")) return ErrorCode::kPermission;
  return ErrorCode::kCorrupt;
}

std::string real_path_if_there(const std::string& path) {
  std::string real = real_path(path);
  return real.empty() ? path : real;
}

// Makes `path` absolute from `base`, and resolves symbolic links in its directory. The last
// component is not resolved: an index that is a link is replaced as a link.
std::string absolute(std::string path, const std::string& base) {
  if (path.empty()) return path;
  if (path.front() != '/') path = base + "/" + path;
  size_t slash = path.rfind('/');
  std::string name = path.substr(slash + 1);
  if (name.empty() || name == "." || name == "..") return real_path_if_there(path);
  std::string directory = slash == 0 ? "" : real_path_if_there(path.substr(0, slash));
  if (directory == "/") directory.clear();
  return directory + "/" + name;
}

}  // namespace

GitCommand discovery_command(const std::string& from_directory) {
  const std::string mark(kMark);
  GitCommand command;
  command.arguments = {"rev-parse",  "--show-toplevel",
                       mark,         "--absolute-git-dir",
                       mark,         "--git-common-dir",
                       mark,         "--git-path",
                       "index",      mark,
                       "--git-path", "objects",
                       mark,         "--show-object-format",
                       mark,         "--show-prefix"};
  command.options.cwd = from_directory;
  // English messages, so that the reason of a refusal can be recognized.
  command.options.environment = {"LC_ALL=C", "LANGUAGE"};
  return command;
}

Result<Repository> discover(const std::string& from_directory, GitRefusal* refusal) {
  // Runs in parallel with the discovery, so that nothing waits for it.
  prefetch_git_version();
  RESIDENT_TRY(const GitOutput output, run_git(discovery_command(from_directory)));
  // Too old a git does not know all of these options.
  if (const Result<GitVersion> version = git_version(); version.ok()) {
    RESIDENT_CHECK(check_git_version(*version));
  }
  return discovered(from_directory, output, refusal);
}

Result<Repository> discovered(const std::string& from_directory, const GitOutput& output,
                              GitRefusal* refusal) {
  const std::string base = from_directory.empty() ? working_directory() : from_directory;
  if (output.exit_code != 0) {
    if (refusal) *refusal = {output.exit_code, output.err};
    return Error{refusal_code(output.err), base + ": " + git_message(output)};
  }
  std::string_view text = output.out;
  if (text.ends_with('\n')) text.remove_suffix(1);
  std::vector<std::string> answers = split_answers(text);
  if (answers.size() != 7) {
    return Error{ErrorCode::kUnsupported, base + ": git rev-parse has unexpected output"};
  }
  Repository repository;
  repository.worktree = answers[0];
  repository.git_dir = answers[1];
  repository.common_dir = absolute(answers[2], base);
  repository.index_path = absolute(answers[3], base);
  repository.objects_dir = absolute(answers[4], base);
  if (answers[5] == "sha256") {
    repository.algorithm = HashAlgorithm::kSha256;
  } else if (answers[5] != "sha1") {
    return Error{ErrorCode::kUnsupported, base + ": unknown object format " + answers[5]};
  }
  repository.prefix = answers[6];
  return repository;
}

}  // namespace resident
