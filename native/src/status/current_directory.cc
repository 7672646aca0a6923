#include "status/current_directory.h"

namespace resident {

void CurrentDirectory::begin_listing(DirectoryNode& node, const Directory& directory) {
  was_searched_ = false;
  is_new_ = context_.is_new;
  if (context_.once) return;
  if (Result<FileStat> stat = fs().stat_directory(directory); stat.ok()) {
    node.record_stat(*stat, fs().now());
    is_new_ = is_new_ || (context_.watcher && stat->mtime >= begun_);
  }
}

bool CurrentDirectory::may_be_searched(const DirectoryNode& node, const Directory& directory) {
  constexpr uint16_t kSearch = 0111;
  was_searched_ =
      was_searched_ || (node.permissions & kSearch) == kSearch || fs().stat_at(directory, ".").ok();
  return was_searched_;
}

void CurrentDirectory::record_searchable(DirectoryNode& node, const Directory& directory) {
  if (!may_be_searched(node, directory)) node.set_patterns_readable(false);
}

}  // namespace resident
