// OwnGitFiles: a directory's own .git and .gitignore, during a scan.
//
// Threads: one worker.
#pragma once

#include <string>

#include "status/current_directory.h"
#include "status/directory_entries.h"

namespace resident {

class OwnGitFiles {
 public:
  // All parameters must outlive this object.
  OwnGitFiles(const ScanContext& context, const CurrentDirectory& current,
              const DirectoryEntries& entries)
      : context_(context), current_(current), entries_(entries) {}

  // Applies the special names of a complete listing.
  void read(DirectoryNode& node, const Directory& directory, const DirectoryListing& listing);
  // Without a complete listing: both files may exist.
  void read_unlisted(DirectoryNode& node, const Directory& directory) {
    read(node, directory, true, true);
  }

 private:
  void read(DirectoryNode& node, const Directory& directory, bool has_dot_git, bool has_gitignore);
  bool is_own_git_directory(const std::string& path) const;

  const ScanContext& context_;
  const CurrentDirectory& current_;
  const DirectoryEntries& entries_;
};

}  // namespace resident
