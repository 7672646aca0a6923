#include "index/index_parts.h"

#include <algorithm>

namespace resident {

std::vector<uint32_t> gitlinks_in(std::span<const IndexEntry> entries) {
  std::vector<uint32_t> gitlinks;
  for (uint32_t i = 0; i < entries.size(); ++i) {
    if (entries[i].is_gitlink()) gitlinks.push_back(i);
  }
  return gitlinks;
}

void link_cache_tree(std::span<IndexDirectory> directories, const CacheTree* tree) {
  for (IndexDirectory& directory : directories) directory.cache_tree = CacheTree::kNoNode;
  if (!tree) return;
  const std::span<const CacheTree::Node> nodes = tree->nodes();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].directory != kNoDirectory) directories[nodes[i].directory].cache_tree = i;
  }
}

FsmonitorMarks marks_in_index(FsmonitorMarks in_file, std::span<const IndexRun> runs,
                              size_t entry_count) {
  if (in_file.token.empty()) return {};
  std::vector<uint32_t>& dirty = in_file.dirty;
  auto mark = dirty.begin();
  uint32_t end = 0;  // end of the run in the file, in entries
  for (const IndexRun& run : runs) {
    const uint32_t begin = end;
    end += run.count;
    for (; mark != dirty.end() && *mark < end; ++mark) *mark += run.first - begin;
  }
  if (end != entry_count || mark != dirty.end()) return {};
  std::sort(dirty.begin(), dirty.end());
  return in_file;
}

}  // namespace resident
