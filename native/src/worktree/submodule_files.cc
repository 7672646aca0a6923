#include "worktree/submodule_files.h"

#include <set>
#include <string_view>
#include <utility>

#include "index/index.h"
#include "object/tree.h"
#include "worktree/nested_repository.h"

namespace resident {

namespace {

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
    for (const char* file : {"HEAD", "index"}) files_.paths.push_back(git_dir + "/" + file);
    for (const char* file : {"packed-refs", "config", "info/exclude", "info/attributes"}) {
      files_.paths.push_back(common_dir + "/" + file);
    }
    if (git_dir != common_dir) files_.paths.push_back(git_dir + "/config.worktree");
    if (std::string branch = branch_of(git_dir); !branch.empty()) {
      files_.paths.push_back(common_dir + "/" + branch);
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
    for (const IndexEntry& entry : (*index)->entries()) {
      if (entry.mode != kModeGitlink) continue;
      add(path + "/" + (*index)->path((*index)->position(entry)));
    }
  }

  // "refs/heads/main"; empty where HEAD names a commit.
  std::string branch_of(const std::string& git_dir) {
    Result<std::string> head = fs_.read_file(git_dir + "/HEAD");
    if (!head.ok() || !head->starts_with("ref:")) return {};
    std::string_view name = std::string_view(*head).substr(4);
    constexpr std::string_view kBlanks = " \t\r\n";
    const size_t begin = name.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return {};
    name = name.substr(begin, name.find_last_not_of(kBlanks) + 1 - begin);
    return std::string(name);
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
