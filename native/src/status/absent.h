// Index entries whose directory is not on disk.
#pragma once

#include "status/scan.h"

namespace resident {

// States of the entries below an index directory that is missing on disk. If the path exists but
// cannot be followed (a symbolic link loop, a name that is too long), git reports no entry below as
// changed.
//
// A symbolic link to a directory may replace the missing directory. A skip-worktree entry found
// through that link counts as unmarked, and thus as absent.
class MissingDirectory {
 public:
  MissingDirectory(const RefreshContext& context, uint32_t index_directory);
  EntryState state_of(uint32_t position) const;
  // True if the path leads to a directory through a symbolic link.
  bool is_linked() const { return is_linked_; }

 private:
  const RefreshContext& context_;
  bool can_be_seen_ = true;
  bool is_linked_ = false;
};

// Sets the states of all entries below `index_directory`, which is missing on disk.
void mark_absent(const ScanContext& context, uint32_t index_directory, ScanFindings& findings);

// Sets the states of all entries below `node` whose directory is missing on disk. `node` was read.
void mark_absent_below(const ScanContext& context, const DirectoryNode& node,
                       ScanFindings& findings);

}  // namespace resident
