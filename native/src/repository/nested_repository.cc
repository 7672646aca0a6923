#include "repository/nested_repository.h"

#include <string_view>

#include "hash/object_id.h"

namespace resident {

namespace {

constexpr uint64_t kMaxGitfileSize = 1 << 20;

std::string_view trim_line_end(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

bool is_valid_head(FileSystem& fs, const std::string& path) {
  Result<FileStat> stat = fs.lstat(path);
  if (!stat.ok()) return false;
  if (stat->kind == FileKind::kSymlink) {
    const size_t slash = path.rfind('/');
    Result<Directory> directory = fs.open_directory(path.substr(0, slash));
    if (!directory.ok()) return false;
    Result<std::string> target = fs.read_link_at(*directory, path.substr(slash + 1));
    return target.ok() && target->starts_with("refs/");
  }
  Result<std::string> content = fs.read_file(path);
  if (!content.ok()) return false;
  std::string_view text = *content;
  if (text.starts_with("ref:")) {
    text.remove_prefix(4);
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || text.front() == '\n')) {
      text.remove_prefix(1);
    }
    return text.starts_with("refs/");
  }
  return ObjectId::from_hex(text.substr(0, 40)).has_value();
}

bool is_directory(FileSystem& fs, const std::string& path) {
  return fs.open_directory(path).ok();
}

std::string resolve(const std::string& base, std::string_view path) {
  return path.starts_with("/") ? std::string(path) : base + "/" + std::string(path);
}

// Returns the target of a gitfile with this content; empty if it is malformed.
std::string gitfile_target(std::string_view content, const std::string& directory) {
  constexpr std::string_view kPrefix = "gitdir: ";
  if (!content.starts_with(kPrefix)) return {};
  std::string_view target = trim_line_end(content.substr(kPrefix.size()));
  return target.empty() ? std::string() : resolve(directory, target);
}

}  // namespace

bool is_git_directory(FileSystem& fs, const std::string& path) {
  if (!is_valid_head(fs, path + "/HEAD")) return false;
  const std::string common = common_directory_of(fs, path);
  return is_directory(fs, common + "/objects") && is_directory(fs, common + "/refs");
}

std::string common_directory_of(FileSystem& fs, const std::string& git_dir) {
  Result<std::string> commondir = fs.read_file(git_dir + "/commondir");
  return commondir.ok() ? resolve(git_dir, trim_line_end(*commondir)) : git_dir;
}

std::string named_git_directory(FileSystem& fs, const std::string& directory) {
  const std::string dot_git = directory + "/.git";
  Result<FileStat> stat = fs.stat(dot_git);
  if (!stat.ok()) return {};
  if (stat->kind == FileKind::kDirectory) return dot_git;
  if (stat->kind != FileKind::kRegular || stat->size > kMaxGitfileSize) return {};
  Result<std::string> content = fs.read_file(dot_git);
  return content.ok() ? gitfile_target(*content, directory) : std::string();
}

std::string git_directory_of(FileSystem& fs, const std::string& directory) {
  std::string named = named_git_directory(fs, directory);
  return !named.empty() && is_git_directory(fs, named) ? named : std::string();
}

bool is_nested_repository(FileSystem& fs, const std::string& directory) {
  if (!git_directory_of(fs, directory).empty()) return true;
  // An unreadable gitfile counts as a repository: it is safer not to look inside.
  const std::string dot_git = directory + "/.git";
  Result<FileStat> stat = fs.stat(dot_git);
  if (!stat.ok() || stat->kind != FileKind::kRegular || stat->size > kMaxGitfileSize) return false;
  Result<std::string> content = fs.read_file(dot_git);
  return !content.ok();
}

}  // namespace resident
