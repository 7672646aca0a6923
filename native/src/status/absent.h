// The entries of the index whose directory is not on disk.
#pragma once

#include "status/scan.h"

namespace resident {

// What the entries below an index directory are that is not on disk. Where the path does not lead
// to nothing but cannot be followed (a symbolic link in a circle stands in its place, a name is
// too long), git reports no entry below as changed.
//
// A skip-worktree entry that is found all the same, through a symbolic link to a directory that
// stands in the place, counts as if it were not marked, and thus as absent.
class MissingDirectory {
 public:
  MissingDirectory(const RefreshContext& context, uint32_t index_directory);
  EntryState state_of(uint32_t position) const;
  // The path leads to a directory.
  bool is_linked() const { return is_linked_; }

 private:
  const RefreshContext& context_;
  bool can_be_seen_ = true;
  bool is_linked_ = false;
};

// Sets the states of what the index has below `index_directory`, which is not on disk.
void mark_absent(const ScanContext& context, uint32_t index_directory, ScanFindings& findings);

// Sets the states of what the index has below `node`, which was read, in directories that are not
// on disk.
void mark_absent_below(const ScanContext& context, const DirectoryNode& node,
                       ScanFindings& findings);

}  // namespace resident
