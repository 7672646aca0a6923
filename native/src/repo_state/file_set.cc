#include "repo_state/file_set.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace resident {

namespace {

constexpr int kMaxFinds = 5;

std::vector<std::string> sorted(std::vector<std::string> paths) {
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

std::optional<FileStat> stat_of(FileSystem& fs, const std::string& path) {
  if (path.empty()) return std::nullopt;
  Result<FileStat> stat = fs.stat(path);
  if (!stat.ok() && stat.error().code == ErrorCode::kNotFound) return std::nullopt;
  // The path exists but cannot be reached, for example because of a loop of symbolic links.
  if (!stat.ok()) return FileStat{};
  if (stat->kind != FileKind::kDirectory || path.ends_with('/')) return *stat;
  FileStat directory;
  directory.kind = FileKind::kDirectory;
  return directory;
}

}  // namespace

FileSet FileSet::record(FileSystem& fs, std::vector<std::string> paths) {
  FileSet set;
  set.paths_ = sorted(std::move(paths));
  const Timestamp now = fs.now();
  for (const std::string& path : set.paths_) {
    set.stats_.push_back(stat_of(fs, path));
    // ctime counts too, because a program can set an old mtime.
    const std::optional<FileStat>& stat = set.stats_.back();
    if (stat && (stat->mtime >= now || stat->ctime >= now)) set.settled_ = false;
  }
  return set;
}

FileSet FileSet::record_found(FileSystem& fs,
                              const std::function<std::vector<std::string>()>& find) {
  std::vector<std::string> found = sorted(find());
  for (int finds = 1; finds < kMaxFinds; ++finds) {
    FileSet set = record(fs, std::move(found));
    found = sorted(find());
    if (found == set.paths_) return set;
  }
  FileSet set = record(fs, std::move(found));
  set.settled_ = false;
  return set;
}

bool FileSet::differs(FileSystem& fs, MetadataGate* gate) {
  return !unchanged(gate, coverage_, paths_,
                    [&](size_t i) { return stat_of(fs, paths_[i]) == stats_[i]; });
}

void append_files(std::vector<std::string>& files, std::vector<std::string> more) {
  std::move(more.begin(), more.end(), std::back_inserter(files));
}

}  // namespace resident
