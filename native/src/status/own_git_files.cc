#include "status/own_git_files.h"

#include "repository/nested_repository.h"
#include "status/directory_patterns.h"

namespace resident {

void OwnGitFiles::read(DirectoryNode& node, const Directory& directory,
                       const DirectoryListing& listing) {
  bool has_gitignore = false;
  size_t directories = 0;
  for (size_t i = 0; i < listing.size(); ++i) {
    const auto [name, kind] = listing[i];
    directories += kind == FileKind::kDirectory;
    if (!name.starts_with(".git")) continue;
    has_gitignore |= name == kGitignore;
    node.has_dot_git |= node.parent && name == ".git";
  }
  node.reserve_children(directories);
  read(node, directory, node.has_dot_git, has_gitignore);
}

// The last arguments are true if the files exist or may exist.
void OwnGitFiles::read(DirectoryNode& node, const Directory& directory, bool has_dot_git,
                       bool has_gitignore) {
  if (node.submodule) return;
  if (has_dot_git && node.parent && !node.holds_tracked()) {
    std::string absolute = context_.refresh.root + "/";
    absolute.append(current_.path());
    absolute.pop_back();
    node.set_nested_repository(is_nested_repository(context_.refresh.fs, absolute) &&
                               !is_own_git_directory(absolute));
    if (node.nested_repository()) return;
  }
  if (has_gitignore || entries_.has_hidden_gitignore()) {
    read_patterns(context_, node, directory, kGitignore);
  }
}

bool OwnGitFiles::is_own_git_directory(const std::string& path) const {
  Result<FileStat> theirs = context_.refresh.fs.stat(path + "/.git");
  Result<FileStat> ours = context_.refresh.fs.stat(context_.git_dir);
  return theirs.ok() && ours.ok() && theirs->device == ours->device && theirs->inode == ours->inode;
}

}  // namespace resident
