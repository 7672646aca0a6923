#include "worktree/sparse_unfolding.h"

#include <algorithm>

#include "object/tree.h"

namespace resident {

namespace {

bool can_be_folded(const Index& index, uint32_t directory) {
  const auto [first, last] = index.subtree_entries(directory);
  const auto entries = index.entries().subspan(first, last - first);
  return std::all_of(entries.begin(), entries.end(), [](const IndexEntry& entry) {
    return entry.skip_worktree() && entry.mode != kModeGitlink;
  });
}

}  // namespace

bool is_folded_directory_present(FileSystem& fs, const std::string& root, const Index& index,
                                 const SparseCone& cone) {
  const auto directories = index.directories();
  // The root itself is never folded up.
  for (uint32_t at = 1; at < directories.size();) {
    const std::string path = index.directory_path(at);
    if (cone.contains(path + "/") || !can_be_folded(index, at)) {
      ++at;
    } else if (fs.lstat(root + "/" + path + "/.").ok()) {
      return true;
    } else {
      at = directories[at].subtree_end;
    }
  }
  return false;
}

}  // namespace resident
