// FirstUntracked: reads an untracked directory and its subdirectories, up to the first file that is
// inside the limit and not ignored. It follows the order of the listings, like git.
//
// Threads: one worker.
#pragma once

#include "status/current_directory.h"
#include "status/directory_entries.h"
#include "status/directory_names.h"
#include "status/own_git_files.h"

namespace resident {

class FirstUntracked {
 public:
  // All parameters must outlive this object.
  FirstUntracked(const ScanContext& context, ScanFindings& findings, CurrentDirectory& current,
                 DirectoryEntries& entries, DirectoryNames& names, OwnGitFiles& git_files)
      : context_(context),
        findings_(findings),
        current_(current),
        entries_(entries),
        names_(names),
        git_files_(git_files) {}

  // True if it found such a file. Opens the directory from `parent`.
  bool find(DirectoryNode& node, const Directory& parent);

 private:
  FileSystem& fs() const { return context_.refresh.fs; }
  Result<Directory> open(const DirectoryNode& node, const Directory& parent);
  Result<bool> list_more(const Directory& directory, DirectoryListing& listing);
  Result<bool> list_beginning(const Directory& directory, DirectoryListing& listing);
  Result<bool> find_in(DirectoryNode& node, const Directory& directory);
  bool find_among(DirectoryNode& node, const Directory& directory, const DirectoryListing& listing);

  const ScanContext& context_;
  ScanFindings& findings_;
  CurrentDirectory& current_;
  DirectoryEntries& entries_;
  DirectoryNames& names_;
  OwnGitFiles& git_files_;
};

}  // namespace resident
