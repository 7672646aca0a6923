#include "status/absent.h"

#include <algorithm>

#include "status/examine.h"

namespace resident {

MissingDirectory::MissingDirectory(const RefreshContext& context, uint32_t index_directory)
    : context_(context) {
  const std::string path = context.root + "/" + context.index.directory_path(index_directory);
  Result<FileStat> stat = context.fs.lstat(path + "/.");
  is_linked_ = stat.ok();
  can_be_seen_ = stat.ok() || stat.error().code == ErrorCode::kNotFound;
}

EntryState MissingDirectory::state_of(uint32_t position) const {
  if (!can_be_seen_) return unseen_state(context_.index.entries()[position]);
  const IndexEntry& entry = context_.index.entries()[position];
  if (is_linked_ && entry.skip_worktree() && context_.settings.unskip_present &&
      !(entry.stage() == 0 && entry.assume_valid()) &&
      context_.fs.lstat(context_.root + "/" + context_.index.path(position)).ok()) {
    return EntryState::absent();
  }
  return missing_state(entry);
}

void mark_absent(const ScanContext& context, uint32_t index_directory, ScanFindings& findings) {
  const Index& index = context.refresh.index;
  const std::string path = index.directory_path(index_directory);
  const auto [first, last] = index.subtree_entries(index_directory);
  if (!context.limit.may_be_at_or_below(path)) {
    std::fill(context.states.begin() + first, context.states.begin() + last, EntryState::clean());
    return;
  }
  const MissingDirectory missing(context.refresh, index_directory);
  for (uint32_t position = first; position < last; ++position) {
    context.states[position] = missing.state_of(position);
  }
  if (!missing.is_linked()) return;
  const auto sparse = index.sparse_directories_in(index_directory);
  findings.sparse.insert(findings.sparse.end(), sparse.begin(), sparse.end());
}

void mark_absent_below(const ScanContext& context, const DirectoryNode& node,
                       ScanFindings& findings) {
  const Index& index = context.refresh.index;
  const IndexDirectory& in_index = index.directories()[node.index_directory];
  auto child = node.children().begin();
  for (uint32_t below = node.index_directory + 1; below < in_index.subtree_end;
       below = index.directories()[below].subtree_end) {
    const std::string_view name = index.directory_name(below);
    // Fast path: children usually have the order of the index.
    if (child != node.children().end() && (*child)->name == name) {
      ++child;
    } else if (!node.find_child(name)) {
      mark_absent(context, below, findings);
      if (node.find_other(name)) findings.obstructed.push_back(below);
    }
  }
}

}  // namespace resident
