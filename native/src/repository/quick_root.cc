// quick_worktree_root: see repository.h.
#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/ascii.h"
#include "base/path_parts.h"
#include "fs/real_path.h"
#include "os/user.h"
#include "repository/nested_repository.h"
#include "repository/repository.h"

namespace resident {

namespace {

constexpr const char* kDecidingVariables[] = {
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_TEST_ASSUME_DIFFERENT_OWNER",
};

constexpr std::string_view kWorktree = "worktree";

bool environment_decides() {
  for (const char* name : kDecidingVariables) {
    if (std::getenv(name)) return true;
  }
  return false;
}

std::string_view after_blanks(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  return text;
}

std::string_view without_blanks(std::string_view text) {
  text = after_blanks(text);
  while (text.ends_with(' ') || text.ends_with('\t') || text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

// The parts of a repository's own config file that decide the worktree's root. The file is searched
// for words and not parsed: a false positive only costs a run of git. Git ignores includes here.
struct RootConfig {
  bool takes_git = false;  // only git can tell
  std::string worktree;    // core.worktree; empty: not set
};

// Returns the value of core.worktree from the only line that names it, at `at` in `text`. Empty:
// the line is not in the form that git writes. `folded` is `text` in lower case.
std::string plain_worktree(std::string_view text, std::string_view folded, size_t at) {
  const size_t begin = folded.rfind('\n', at) + 1;  // npos + 1 is 0
  const size_t end = std::min(folded.find('\n', at), folded.size());
  if (!without_blanks(folded.substr(begin, at - begin)).empty()) return {};
  // Finds the section header. A line continued on the next line is not supported.
  const std::string_view before = folded.substr(0, begin);
  const size_t header = before.rfind('[');
  if (header == before.npos || before.find('\\', header) != before.npos) return {};
  const size_t header_end = std::min(before.find('\n', header), before.size());
  if (without_blanks(before.substr(header, header_end - header)) != "[core]") return {};
  const size_t header_line = before.rfind('\n', header) + 1;
  if (!without_blanks(before.substr(header_line, header - header_line)).empty()) return {};
  std::string_view rest = after_blanks(text.substr(at, end - at).substr(kWorktree.size()));
  if (!rest.starts_with('=')) return {};
  rest = without_blanks(rest.substr(1));
  return rest.find_first_of("\"\\#;\t") == rest.npos ? std::string(rest) : std::string();
}

RootConfig root_config(FileSystem& fs, const std::string& path) {
  auto content = fs.read_file(path);
  if (!content.ok()) return {content.error().code != ErrorCode::kNotFound, {}};
  const std::string text = *std::move(content);
  const std::string folded = ascii_lowered(text);
  const std::string_view view = folded;
  RootConfig config;
  for (size_t at = view.find(kWorktree); at != view.npos; at = view.find(kWorktree, at + 1)) {
    if (view.substr(at).starts_with("worktreeconfig")) continue;
    if (!config.worktree.empty()) return {true, {}};
    config.worktree = plain_worktree(text, view, at);
    if (config.worktree.empty()) return {true, {}};
  }
  for (size_t at = view.find("bare"); at != view.npos; at = view.find("bare", at + 1)) {
    const std::string_view rest = after_blanks(view.substr(at + 4));
    if (!rest.starts_with('=') || !after_blanks(rest.substr(1)).starts_with("false")) {
      return {true, {}};
    }
  }
  return config;
}

// True if a config file could move the worktree's root or make the repository bare.
bool config_may_move_root(FileSystem& fs, const std::string& path) {
  const RootConfig config = root_config(fs, path);
  return config.takes_git || !config.worktree.empty();
}

bool looks_like_git_dir(FileSystem& fs, const std::string& path) {
  return fs.lstat(path + "/HEAD").ok() && fs.stat(path + "/objects").ok() &&
         fs.stat(path + "/refs").ok();
}

bool owned_by_us(FileSystem& fs, const FileStat& stat) {
  return fs.capabilities().owners && stat.uid == effective_user_id();
}

// Returns the git directory that the gitfile `dot_git` names; empty if it is no gitfile.
std::string named_git_dir(FileSystem& fs, const std::string& root, const std::string& dot_git) {
  auto content = fs.read_file(dot_git);
  constexpr std::string_view kPrefix = "gitdir: ";
  if (!content.ok() || !content->starts_with(kPrefix)) return {};
  std::string target = content->substr(kPrefix.size());
  while (target.ends_with('\n') || target.ends_with('\r')) target.pop_back();
  if (target.empty() || target.front() == '/') return target;
  return root + "/" + target;
}

// True if `git_dir` belongs to `root`: the git directory of a submodule, or a separate git
// directory.
bool is_separate_git_dir_of(FileSystem& fs, const std::string& git_dir, const std::string& root) {
  if (!looks_like_git_dir(fs, git_dir)) return false;
  const RootConfig config = root_config(fs, git_dir + "/config");
  if (config.takes_git || config.worktree.empty()) return !config.takes_git;
  const bool is_absolute = config.worktree.front() == '/';
  return real_path(is_absolute ? config.worktree : git_dir + "/" + config.worktree) == root;
}

// For a linked worktree. The shared config can move its root only with extensions.worktreeConfig.
bool shared_config_may_move_root(FileSystem& fs, const std::string& git_dir) {
  const std::string path = common_directory_of(fs, git_dir) + "/config";
  const auto content = fs.read_file(path);
  if (!content.ok()) return content.error().code != ErrorCode::kNotFound;
  return ascii_lowered(*content).find("worktreeconfig") != std::string::npos &&
         config_may_move_root(fs, path);
}

bool is_plain_root(FileSystem& fs, const std::string& root, const FileStat& root_stat,
                   const FileStat& dot_git) {
  const std::string path = root + "/.git";
  if (!owned_by_us(fs, root_stat) || !owned_by_us(fs, dot_git)) return false;
  if (dot_git.kind == FileKind::kDirectory) {
    return looks_like_git_dir(fs, path) && !config_may_move_root(fs, path + "/config") &&
           !config_may_move_root(fs, path + "/config.worktree");
  }
  if (dot_git.kind != FileKind::kRegular) return false;
  const std::string git_dir = named_git_dir(fs, root, path);
  if (git_dir.empty()) return false;
  const auto stat = fs.stat(git_dir);
  if (!stat.ok() || !owned_by_us(fs, *stat) || !fs.lstat(git_dir + "/HEAD").ok()) return false;
  if (config_may_move_root(fs, git_dir + "/config.worktree")) return false;
  return fs.stat(git_dir + "/commondir").ok() ? !shared_config_may_move_root(fs, git_dir)
                                              : is_separate_git_dir_of(fs, git_dir, root);
}

}  // namespace

std::optional<std::string> quick_worktree_root(FileSystem& fs, const std::string& from_directory) {
  if (environment_decides()) return std::nullopt;
  std::string directory = real_path(from_directory.empty() ? "." : from_directory);
  std::optional<uint64_t> device;
  while (!directory.empty() && directory != "/") {
    auto stat = fs.stat(directory);
    if (!stat.ok() || stat->kind != FileKind::kDirectory) return std::nullopt;
    if (device && *device != stat->device) return std::nullopt;
    device = stat->device;
    const auto dot_git = fs.lstat(directory + "/.git");
    if (dot_git.ok()) {
      if (!is_plain_root(fs, directory, *stat, *dot_git)) return std::nullopt;
      return directory;
    }
    // If the existence of .git is unknown, git continues or fails, depending on its version.
    if (dot_git.error().code != ErrorCode::kNotFound) return std::nullopt;
    // This directory is in a git directory or a bare repository.
    if (fs.lstat(directory + "/HEAD").ok() && looks_like_git_dir(fs, directory))
      return std::nullopt;
    directory = parent_directory(directory);
  }
  return std::nullopt;
}

Result<std::string> worktree_root(FileSystem& fs, const std::string& from_directory) {
  if (std::optional<std::string> root = quick_worktree_root(fs, from_directory)) {
    return *std::move(root);
  }
  RESIDENT_TRY(Repository repository, discover(from_directory));
  return std::move(repository.worktree);
}

}  // namespace resident
