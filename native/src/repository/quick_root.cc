// quick_worktree_root: see repository.h.
#include <stdlib.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "fs/posix_file_system.h"
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

bool environment_decides() {
  for (const char* name : kDecidingVariables) {
    if (::getenv(name)) return true;
  }
  return false;
}

std::string canonical_path(const std::string& path) {
  char* real = ::realpath(path.c_str(), nullptr);
  if (!real) return {};
  std::string resolved(real);
  ::free(real);
  return resolved;
}

std::string parent_of(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

std::string_view after_blanks(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  return text;
}

// True where a config file could move the worktree's root or say that there is none. Looks for the
// words rather than parsing: a false alarm costs one question to git.
bool config_may_move_root(const std::string& path) {
  auto content = posix_file_system().read_file(path);
  if (!content.ok()) return content.error().code != ErrorCode::kNotFound;
  const std::string text = lower(*std::move(content));
  const std::string_view view = text;
  for (size_t at = view.find("worktree"); at != view.npos; at = view.find("worktree", at + 1)) {
    if (!view.substr(at).starts_with("worktreeconfig")) return true;
  }
  for (size_t at = view.find("bare"); at != view.npos; at = view.find("bare", at + 1)) {
    std::string_view rest = after_blanks(view.substr(at + 4));
    if (!rest.starts_with('=') || !after_blanks(rest.substr(1)).starts_with("false")) return true;
  }
  return false;
}

bool looks_like_git_dir(const std::string& path) {
  FileSystem& fs = posix_file_system();
  return fs.lstat(path + "/HEAD").ok() && fs.stat(path + "/objects").ok() &&
         fs.stat(path + "/refs").ok();
}

bool owned_by_us(const FileStat& stat) {
  return stat.uid == ::geteuid();
}

// A linked worktree's git directory, named by the file `dot_git`; empty for anything else.
std::string linked_git_dir(const std::string& root, const std::string& dot_git) {
  auto content = posix_file_system().read_file(dot_git);
  constexpr std::string_view kPrefix = "gitdir: ";
  if (!content.ok() || !content->starts_with(kPrefix)) return {};
  std::string target = content->substr(kPrefix.size());
  while (target.ends_with('\n') || target.ends_with('\r')) target.pop_back();
  if (target.empty()) return {};
  if (target.front() != '/') target = root + "/" + target;
  // Submodules and separate git directories have none.
  return posix_file_system().stat(target + "/commondir").ok() ? target : "";
}

bool is_plain_root(const std::string& root, const FileStat& root_stat, const FileStat& dot_git) {
  const std::string path = root + "/.git";
  if (!owned_by_us(root_stat) || !owned_by_us(dot_git)) return false;
  if (dot_git.kind == FileKind::kDirectory) {
    return looks_like_git_dir(path) && !config_may_move_root(path + "/config") &&
           !config_may_move_root(path + "/config.worktree");
  }
  if (dot_git.kind != FileKind::kRegular) return false;
  std::string git_dir = linked_git_dir(root, path);
  if (git_dir.empty()) return false;
  auto stat = posix_file_system().stat(git_dir);
  return stat.ok() && owned_by_us(*stat) && posix_file_system().lstat(git_dir + "/HEAD").ok() &&
         !config_may_move_root(git_dir + "/config.worktree");
}

}  // namespace

std::optional<std::string> quick_worktree_root(const std::string& from_directory) {
  if (environment_decides()) return std::nullopt;
  FileSystem& fs = posix_file_system();
  std::string directory = canonical_path(from_directory.empty() ? "." : from_directory);
  std::optional<uint64_t> device;
  while (!directory.empty() && directory != "/") {
    auto stat = fs.stat(directory);
    if (!stat.ok() || stat->kind != FileKind::kDirectory) return std::nullopt;
    if (device && *device != stat->device) return std::nullopt;
    device = stat->device;
    const auto dot_git = fs.lstat(directory + "/.git");
    if (dot_git.ok()) {
      if (!is_plain_root(directory, *stat, *dot_git)) return std::nullopt;
      return directory;
    }
    // Where it cannot be told whether one is there, git goes on or gives up, by its version.
    if (dot_git.error().code != ErrorCode::kNotFound) return std::nullopt;
    // Inside a git directory, or in a bare repository.
    if (fs.lstat(directory + "/HEAD").ok() && looks_like_git_dir(directory)) return std::nullopt;
    directory = parent_of(directory);
  }
  return std::nullopt;
}

Result<std::string> worktree_root(const std::string& from_directory) {
  if (std::optional<std::string> root = quick_worktree_root(from_directory)) {
    return *std::move(root);
  }
  RESIDENT_TRY(Repository repository, discover(from_directory));
  return std::move(repository.worktree);
}

}  // namespace resident
