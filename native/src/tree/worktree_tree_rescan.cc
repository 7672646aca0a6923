// The part of WorktreeTree that examines everything again without reading everything again.
//
// First, verify_tree examines all directories without a change of the tree. Then each stale
// directory is watched and listed again, by the same steps as after an event. A directory still
// belongs to its watch if a new watch has the same id, or if its stat is the same (see
// verify_tree).
#include <algorithm>

#include "object/tree.h"
#include "status/verify.h"
#include "tree/worktree_tree.h"

namespace resident {

namespace {

// A full scan is cheaper if more than 1/kStalePart of the directories are stale.
constexpr size_t kStalePart = 16;
constexpr size_t kFewStale = 64;

}  // namespace

// Whether a rescan would find the same as a scan.
bool WorktreeTree::can_rescan(const Directory& root) const {
  if (!state_.top || state_.top->submodule || !state_.top->readable() ||
      !state_.top->patterns_readable() || state_.folded || !state_.setup.watcher)
    return false;
  // On other file systems a directory's stat may be outdated, or come from another instance of it.
  if (!state_.setup.watcher->tells_everything(root)) return false;
  if (!state_.watches.is_watched(*state_.top)) return false;
  const Result<FileStat> stat = state_.setup.fs.stat_directory(root);
  if (!stat.ok() || !state_.top->was_read_from(*stat)) return false;
  if (state_.top->is_as_read(*stat)) return true;
  const Result<Watcher::Added> added = state_.setup.watcher->add(root);
  if (added.ok() && added->id == state_.top->watch) return true;
  if (added.ok()) state_.watches.remove_stray(added->id);
  return false;
}

Result<bool> WorktreeTree::rescan(const ScanControl& control) {
  RESIDENT_TRY(Directory root, state_.setup.fs.open_directory(state_.setup.root));
  if (!can_rescan(root)) return false;
  std::vector<EntryState> states(state_.entries.all().begin(), state_.entries.all().end());
  // Do not reuse comparisons: attributes may have changed.
  const ContentCache empty;
  const ScanContext context{
      {state_.setup.fs, state_.setup.root, *state_.index, state_.settings, state_.setup.content,
       empty},
      states,
      state_.rules,
      nullptr,
      nullptr,
      state_.setup.git_dir,
      [this](uint32_t position) { return state_.setup.read_index_blob(*state_.index, position); },
      state_.setup.threads,
      control.files_seen,
      control.cancelled,
      control.tick,
      state_.setup.limit,
  };
  const uint64_t device = state_.top->device;
  // Times on other devices are not reliable.
  const auto watched = [&](const DirectoryNode& node) {
    return node.device == device && state_.watches.is_watched(node);
  };
  const size_t most = std::max(kFewStale, state_.watches.count() / kStalePart);
  std::vector<LinkedFile> mounted = mounted_files(root);
  Verified verified = verify_tree({context, watched, most}, *state_.top, std::move(root));
  if (control.cancelled && control.cancelled->load()) {
    return Error{ErrorCode::kCancelled, state_.setup.root + ": the scan was cancelled"};
  }
  if (verified.given_up) return false;

  (void)state_.entries.consume_compared();
  state_.links.clear();
  record_mounted(std::move(mounted));
  sweeper_.restart();
  state_.sparse_present.clear();
  state_.obstructed.clear();
  state_.adopt(std::move(verified.findings));
  (void)state_.entries.merge(*state_.index, states);
  for (const std::string& path : verified.stale) read_again(path);
  for (DirectoryNode* node : state_.watches.with_dot_git()) state_.watches.record_dot_git(*node);
  rechecker_.recheck_nested();
  state_.ignore_rules_touched = true;
  state_.entries.touch_submodules(*state_.index);
  return true;
}

// Watches a directory again. If it is the known directory, rechecks each name in it; otherwise
// reads it and everything below again.
void WorktreeTree::read_again(const std::string& path) {
  DirectoryNode* node = state_.find_node(path);
  // It was deleted with a parent directory.
  if (!node) return;
  if (!node->parent) {
    const Timestamp now = state_.setup.fs.now();
    const Result<FileStat> stat = state_.setup.fs.stat_directory(state_.watches.root());
    if (rechecker_.recheck_names(*node, state_.watches.root()) && stat.ok())
      node->record_stat(*stat, now);
    return;
  }
  Result<Directory> directory = state_.setup.fs.open_directory_at(
      state_.watches.root(), std::string_view(path).substr(0, path.size() - 1));
  Result<Watcher::Added> added = Error{ErrorCode::kNotFound, path};
  if (directory.ok() && node->readable() && node->patterns_readable())
    added = state_.setup.watcher->add(*directory);
  if (added.ok() && added->id == node->watch &&
      (added->id == kNoWatch || state_.watches.is_watched(*node))) {
    const Result<FileStat> stat = state_.setup.fs.stat_directory(*directory);
    const Timestamp now = state_.setup.fs.now();
    if (stat.ok() && node->was_read_from(*stat)) {
      if (rechecker_.recheck_names(*node, *directory)) node->record_stat(*stat, now);
      if (node->has_dot_git) state_.watches.record_dot_git(*node);
      return;
    }
  }
  rechecker_.reread_directory(*node);
  if (added.ok()) state_.watches.remove_stray(added->id);
}

}  // namespace resident
