#include "tree/linked_files.h"

#include <algorithm>

#include "status/scan.h"

namespace resident {

void LinkedFiles::record(const std::string& path, const std::optional<FileStat>& stat,
                         Timestamp at) {
  if (!stat || stat->kind != FileKind::kRegular || (stat->links <= 1 && !mounted_.contains(path))) {
    by_path_.erase(path);
  } else if (by_path_.size() < kMaxLinkedFiles || by_path_.contains(path)) {
    by_path_.insert_or_assign(path, CachedStat{*stat, at});
  } else {
    // Only the sweep counts them.
    beyond_ = std::max<uint64_t>(beyond_, 1);
  }
}

std::vector<std::string> LinkedFiles::changed(FileSystem& fs, const Directory& root,
                                              uint64_t& looks) const {
  std::vector<std::string> paths;
  for (const auto& [path, known] : by_path_) {
    ++looks;
    const Result<FileStat> stat = fs.stat_at(root, path);
    if (!stat.ok() || !known.is_current(*stat)) paths.push_back(path);
  }
  return paths;
}

std::vector<std::string> LinkedFiles::paths() const {
  std::vector<std::string> paths;
  for (const auto& [path, known] : by_path_) paths.push_back(path);
  return paths;
}

void LinkedFiles::record_new(const std::string& path, const FileStat& stat) {
  if (stat.kind != FileKind::kRegular || stat.links <= 1 || contains(path)) return;
  record_new(stat.inode);
}

void LinkedFiles::clear() {
  by_path_.clear();
  beyond_ = 0;
}

}  // namespace resident
