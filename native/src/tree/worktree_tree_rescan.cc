// The part of WorktreeTree that looks at everything again without reading everything again.
//
// First all is looked at and nothing is touched (verify_tree). Then each directory that was found
// to be otherwise is watched and listed again, by the same steps that an event leads to. What
// proves that a directory is the one that its watch tells of: the same id when it is watched again,
// or the same stat (see verify_tree).
#include <algorithm>

#include "object/tree.h"
#include "status/verify.h"
#include "tree/worktree_tree.h"

namespace resident {

namespace {

// Beyond this part of all directories a scan is the cheaper way.
constexpr size_t kStalePart = 16;
constexpr size_t kFewStale = 64;

}  // namespace

// Whether a rescan can tell what a scan would.
bool WorktreeTree::can_rescan(const Directory& root) const {
  if (!top_ || top_->submodule || !top_->readable() || !top_->patterns_readable() || folded_ ||
      !setup_.watcher)
    return false;
  // Elsewhere what a directory's stat says may be old, or of another instance of it.
  if (!setup_.watcher->tells_everything(root)) return false;
  if (!watches_.is_watched(*top_)) return false;
  const Result<FileStat> stat = setup_.fs.stat_directory(root);
  if (!stat.ok() || !top_->was_read_from(*stat)) return false;
  if (top_->is_as_read(*stat)) return true;
  const Result<Watcher::Added> added = setup_.watcher->add(root);
  if (added.ok() && added->id == top_->watch) return true;
  if (added.ok()) watches_.remove_stray(added->id);
  return false;
}

Result<bool> WorktreeTree::rescan(const ScanControl& control) {
  RESIDENT_TRY(Directory root, setup_.fs.open_directory(setup_.root));
  if (!can_rescan(root)) return false;
  std::vector<EntryState> states(entries_.all().begin(), entries_.all().end());
  // Do not reuse comparisons: attributes may have changed.
  const ContentCache empty;
  const ScanContext context{
      {setup_.fs, setup_.root, *index_, settings_, setup_.content, empty},
      states,
      rules_,
      nullptr,
      nullptr,
      setup_.git_dir,
      [this](uint32_t position) { return setup_.read_index_blob(*index_, position); },
      setup_.threads,
      control.files_seen,
      control.cancelled,
      control.tick,
      setup_.limit,
  };
  const uint64_t device = top_->device;
  // Of other devices it is not known what their times tell.
  const auto watched = [&](const DirectoryNode& node) {
    return node.device == device && watches_.is_watched(node);
  };
  const size_t most = std::max(kFewStale, watches_.count() / kStalePart);
  std::vector<LinkedFile> mounted = mounted_files(root);
  Verified verified = verify_tree({context, watched, most}, *top_, std::move(root));
  if (control.cancelled && control.cancelled->load()) {
    return Error{ErrorCode::kCancelled, setup_.root + ": the scan was cancelled"};
  }
  if (verified.given_up) return false;

  (void)entries_.consume_compared();
  links_.clear();
  record_mounted(std::move(mounted));
  sweep_.restart();
  sparse_present_.clear();
  obstructed_.clear();
  adopt(std::move(verified.findings));
  (void)entries_.merge(*index_, states);
  for (const std::string& path : verified.stale) read_again(path);
  for (DirectoryNode* node : watches_.with_dot_git()) watches_.record_dot_git(*node);
  recheck_nested();
  ignore_rules_touched_ = true;
  entries_.touch_submodules(*index_);
  return true;
}

// Watches a directory again, and looks at every name in it if it is the one that was known; else at
// it and everything below.
void WorktreeTree::read_again(const std::string& path) {
  DirectoryNode* node = find_node(path);
  // It went with one above.
  if (!node) return;
  if (!node->parent) {
    const Timestamp now = setup_.fs.now();
    const Result<FileStat> stat = setup_.fs.stat_directory(watches_.root());
    if (recheck_names(*node, watches_.root()) && stat.ok()) node->record_stat(*stat, now);
    return;
  }
  Result<Directory> directory = setup_.fs.open_directory_at(
      watches_.root(), std::string_view(path).substr(0, path.size() - 1));
  Result<Watcher::Added> added = Error{ErrorCode::kNotFound, path};
  if (directory.ok() && node->readable() && node->patterns_readable())
    added = setup_.watcher->add(*directory);
  if (added.ok() && added->id == node->watch &&
      (added->id == kNoWatch || watches_.is_watched(*node))) {
    const Result<FileStat> stat = setup_.fs.stat_directory(*directory);
    const Timestamp now = setup_.fs.now();
    if (stat.ok() && node->was_read_from(*stat)) {
      if (recheck_names(*node, *directory)) node->record_stat(*stat, now);
      if (node->has_dot_git) watches_.record_dot_git(*node);
      return;
    }
  }
  reread_directory(*node);
  if (added.ok()) watches_.remove_stray(added->id);
}

}  // namespace resident
