#include "submodule/submodule_files.h"

#include <set>
#include <string_view>
#include <utility>

#include "index/index.h"
#include "pattern/ascii.h"
#include "refs/head_files.h"
#include "repository/nested_repository.h"

namespace resident {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// The value of a line "worktree = value"; empty for every other one, and for a value that is not
// plain.
std::string_view worktree_in(std::string_view line) {
  constexpr std::string_view kKey = "worktree";
  line = trimmed(line);
  if (!starts_with_bytes(line, kKey, true)) return {};
  line = trimmed(line.substr(kKey.size()));
  if (!line.starts_with('=') || line.find_first_of("\"\\#;") != line.npos) return {};
  return trimmed(line.substr(1));
}

// Whether the config file can make another directory than `path` the worktree. It is not parsed:
// what is not plain counts.
bool leads_elsewhere(FileSystem& fs, const std::string& git_dir, const std::string& config,
                     const FileStat& path) {
  Result<std::string> content = fs.read_file(config);
  if (!content.ok()) return content.error().code != ErrorCode::kNotFound;
  for (std::string_view rest = *content; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end);
    std::string words(line);
    for (char& c : words) c = ascii_lower(c);
    if (words.find("include") != words.npos) return true;
    const size_t word = words.find("worktree");
    if (word == words.npos || words.find("worktreeconfig") == word) continue;
    const std::string_view value = worktree_in(line);
    const std::string target = (value.starts_with('/') ? "" : git_dir + "/") + std::string(value);
    Result<FileStat> stat = fs.stat(target);
    if (value.empty() || !stat.ok() || stat->device != path.device || stat->inode != path.inode) {
      return true;
    }
  }
  return false;
}

class Collector {
 public:
  Collector(FileSystem& fs, HashAlgorithm algorithm) : fs_(fs), algorithm_(algorithm) {}

  void add(const std::string& path) {
    // Each directory once, whatever symbolic links lead to it; git follows none on its way.
    Result<FileStat> stat = fs_.lstat(path);
    if (stat.ok() && stat->kind != FileKind::kDirectory) return;
    if (stat.ok() && !seen_.emplace(stat->device, stat->inode).second) return;
    files_.paths.push_back(path + "/.git");
    const std::string git_dir = git_directory_of(fs_, path);
    if (git_dir.empty()) return;
    const std::string common_dir = common_directory_of(fs_, git_dir);
    for (std::string& file : files_around_head(fs_, git_dir, common_dir)) {
      files_.paths.push_back(std::move(file));
    }
    files_.paths.push_back(git_dir + "/index");
    // Without objects and refs it is no git directory (is_git_directory).
    for (const char* file : {"config", "info/exclude", "info/attributes", "objects", "refs"}) {
      files_.paths.push_back(common_dir + "/" + file);
    }
    if (git_dir != common_dir) files_.paths.push_back(git_dir + "/config.worktree");
    for (const std::string& config : {common_dir + "/config", git_dir + "/config.worktree"}) {
      if (!stat.ok() || leads_elsewhere(fs_, git_dir, config, *stat)) files_.complete = false;
    }
    add_below(path, git_dir + "/index");
  }

  SubmoduleFiles take() && { return std::move(files_); }

 private:
  void add_below(const std::string& path, const std::string& index_path) {
    auto index = Index::load(index_path, {.algorithm = algorithm_, .verify_checksum = false});
    if (!index.ok()) {
      files_.complete = false;
      return;
    }
    for (const uint32_t position : (*index)->gitlinks()) {
      add(path + "/" + (*index)->path(position));
    }
  }

  FileSystem& fs_;
  HashAlgorithm algorithm_;
  std::set<std::pair<uint64_t, uint64_t>> seen_;
  SubmoduleFiles files_;
};

}  // namespace

SubmoduleFiles submodule_files(FileSystem& fs, const std::string& path, HashAlgorithm algorithm) {
  Collector collector(fs, algorithm);
  collector.add(path);
  return std::move(collector).take();
}

}  // namespace resident
