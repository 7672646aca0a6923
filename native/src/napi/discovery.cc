#include "napi/discovery.h"

#include <algorithm>
#include <utility>

#include "base/path_parts.h"
#include "repository/repository.h"
#include "repository/repository_search.h"

namespace resident {
namespace {

// Asks git about `folder` and records the answer.
void add_worktree_of(const std::string& folder, Discovery& found) {
  Result<Repository> repository = discover(folder);
  if (repository.ok()) {
    const std::string& root = repository->worktree;
    if (std::find(found.roots.begin(), found.roots.end(), root) == found.roots.end()) {
      found.roots.push_back(root);
    }
    return;
  }
  const Error& error = repository.error();
  // Without a repository or a worktree, the folder is simply not shown. This is no problem.
  if (error.code == ErrorCode::kNotFound || error.code == ErrorCode::kInvalid) return;
  found.problems.push_back({folder, error.message});
}

}  // namespace

Discovery discover_worktrees(FileSystem& fs, const std::string& path, int depth) {
  Discovery found;
  const Result<FileStat> stat = fs.stat(path);
  if (!stat.ok()) {
    found.problems.push_back({path, stat.error().message});
    return found;
  }
  std::string folder = stat->kind == FileKind::kDirectory ? path : parent_directory(path);
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  add_worktree_of(folder, found);
  RepositorySearch search = find_repositories(fs, folder, depth);
  for (const std::string& root : search.roots) {
    if (root != folder) add_worktree_of(root, found);
  }
  for (RepositorySearch::Problem& problem : search.problems) {
    found.problems.push_back({std::move(problem.path), std::move(problem.message)});
  }
  return found;
}

}  // namespace resident
