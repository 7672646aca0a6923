// The part of WorktreeTree that looks at everything again without reading everything again.
//
// First all is looked at and nothing is touched (verify_tree). Then each directory that was found
// to be otherwise is watched and listed again, by the same steps that an event leads to. What
// proves that a directory is the one that its watch tells of: the same id when it is watched again,
// or the same stat (see verify_tree).
#include <algorithm>

#include "model/worktree_tree.h"
#include "object/tree.h"
#include "status/verify.h"

namespace resident {

namespace {

// Beyond this part of all directories a scan is the cheaper way.
constexpr size_t kStalePart = 16;
constexpr size_t kFewStale = 64;

}  // namespace

bool WorktreeTree::is_watched(const DirectoryNode& node) const {
  auto known = nodes_by_watch_.find(node.watch);
  return known != nodes_by_watch_.end() && known->second == &node;
}

// Whether a rescan can tell what a scan would.
bool WorktreeTree::can_rescan(const Directory& root) const {
  if (!top_ || top_->submodule || !top_->readable() || !top_->patterns_readable() || folded_ ||
      !setup_.watcher)
    return false;
  // Elsewhere what a directory's stat says may be old, or of another instance of it.
  if (!setup_.watcher->tells_everything(root)) return false;
  if (!is_watched(*top_)) return false;
  const Result<FileStat> stat = setup_.fs.stat_directory(root);
  if (!stat.ok() || !top_->was_read_from(*stat)) return false;
  if (top_->is_as_read(*stat)) return true;
  const Result<Watcher::Added> added = setup_.watcher->add(root);
  if (added.ok() && added->id == top_->watch) return true;
  if (added.ok()) remove_stray_watch(added->id);
  return false;
}

void WorktreeTree::remove_stray_watch(WatchId id) const {
  if (id != kNoWatch && !nodes_by_watch_.contains(id)) setup_.watcher->remove(id);
}

Result<bool> WorktreeTree::rescan(const ScanControl& control) {
  RESIDENT_TRY(Directory root, setup_.fs.open_directory(setup_.root));
  if (!can_rescan(root)) return false;
  std::vector<EntryState> states = states_;
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
  const std::function<bool(const DirectoryNode&)> watched = [&](const DirectoryNode& node) {
    return node.device == device && is_watched(node);
  };
  const size_t most = std::max(kFewStale, nodes_by_watch_.size() / kStalePart);
  Verified verified = verify_tree({context, watched, most}, *top_, std::move(root));
  if (control.cancelled && control.cancelled->load()) {
    return Error{ErrorCode::kCancelled, setup_.root + ": the scan was cancelled"};
  }
  if (verified.given_up) return false;

  content_cache_.clear();
  linked_.clear();
  linked_beyond_ = 0;
  restart_sweep();
  sparse_present_.clear();
  obstructed_.clear();
  adopt(std::move(verified.findings));
  for (uint32_t i = 0; i < states.size(); ++i) {
    if (states[i].is_known()) set_state(i, states[i]);
  }
  for (const std::string& path : verified.stale) read_again(path);
  std::vector<DirectoryNode*> with_dot_git;
  for (const auto& [node, watch] : with_dot_git_) with_dot_git.push_back(node);
  for (DirectoryNode* node : with_dot_git) note_dot_git(*node);
  recheck_nested();
  touched_.ignore_rules = true;
  touch_submodules();
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
    const Result<FileStat> stat = setup_.fs.stat_directory(root_);
    if (look_at_names(*node, root_) && stat.ok()) node->note_stat(*stat, now);
    return;
  }
  Result<Directory> directory =
      setup_.fs.open_directory_at(root_, std::string_view(path).substr(0, path.size() - 1));
  Result<Watcher::Added> added = Error{ErrorCode::kNotFound, path};
  if (directory.ok() && node->readable() && node->patterns_readable())
    added = setup_.watcher->add(*directory);
  if (added.ok() && added->id == node->watch && (added->id == kNoWatch || is_watched(*node))) {
    const Result<FileStat> stat = setup_.fs.stat_directory(*directory);
    const Timestamp now = setup_.fs.now();
    if (stat.ok() && node->was_read_from(*stat)) {
      if (look_at_names(*node, *directory)) node->note_stat(*stat, now);
      if (node->has_dot_git) note_dot_git(*node);
      return;
    }
  }
  DirectoryNode& parent = *node->parent;
  const std::string name = node->name;
  look(parent, name, true);
  if (added.ok()) remove_stray_watch(added->id);
}

}  // namespace resident
