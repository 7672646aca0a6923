#include "tree/tree_scanner.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "status/verify.h"

namespace resident {

namespace {

// A full scan is cheaper if more than 1/kStalePart of the directories are stale.
constexpr size_t kStalePart = 16;
constexpr size_t kFewStale = 64;

}  // namespace

Result<void> TreeScanner::scan(std::shared_ptr<const Index> index, const ExcludeRules& rules,
                               const WorktreeSettings& settings, const ScanControl& control) {
  const TreeState::Setup& setup = state_.setup;
  RESIDENT_TRY(Directory root, setup.fs.open_directory(setup.root));
  // Do not reuse comparisons: attributes may have changed.
  const ContentCache empty;
  std::vector<EntryState> states(index->entries().size());
  auto top = std::make_unique<DirectoryNode>();
  top->index_directory = control.watch_only ? kNoDirectory : 0;
  top->submodule = control.watch_only;
  auto folded = settings.ignore_case ? std::make_shared<const FoldedIndex>(index) : nullptr;
  ScanContext context{
      {setup.fs, setup.root, *index, settings, setup.content, empty},
      states,
      rules,
      folded.get(),
      setup.watcher,
      setup.git_dir,
      [&](uint32_t position) { return setup.read_index_blob(*index, position); },
      setup.threads,
      control.files_seen,
      control.cancelled,
      control.tick,
      setup.limit,
      control.watch_only,
      setup.untracked,
      setup.once,
  };
  if (setup.watcher) setup.watcher->watch_below(setup.root);
  RESIDENT_TRY(Directory reading, setup.fs.open_directory(setup.root));
  const std::vector<LinkedFile> mounted = mounted_files(reading);
  ScanFindings findings = scan_subtree(context, *top, std::move(reading));
  if (control.cancelled && control.cancelled->load()) {
    // Remove the watches of new directories: no node refers to them.
    for (auto [id, node] : findings.watched) state_.watches.remove_stray(id);
    return Error{ErrorCode::kCancelled, setup.root + ": the scan was cancelled"};
  }

  state_.entries.replace(std::move(states), state_.index.get(), *index);
  state_.index = std::move(index);
  state_.folded = std::move(folded);
  state_.rules = rules;
  state_.settings = settings;
  begin_new_results(mounted);
  state_.unreadable.clear();
  state_.unseen.clear();
  state_.directories_at_files.clear();
  const TreeWatches::Replaced old_watches = state_.watches.begin_replacing();
  state_.top = std::move(top);
  state_.watches.set_root(std::move(root));
  const std::vector<DirectoryNode*> with_others = std::move(findings.with_others);
  state_.adopt(std::move(findings));
  state_.watches.end_replacing(old_watches);
  std::set<std::string> untracked;
  for (const DirectoryNode* node : with_others) {
    if (stands_for_entry(*state_.index, *node)) continue;
    for_each_untracked(*node, [&](std::string path) { untracked.insert(std::move(path)); });
  }
  state_.untracked.replace(std::move(untracked));
  end_new_results();
  return {};
}

Result<bool> TreeScanner::rescan(const ScanControl& control) {
  const TreeState::Setup& setup = state_.setup;
  RESIDENT_TRY(Directory root, setup.fs.open_directory(setup.root));
  if (!can_rescan(root)) return false;
  std::vector<EntryState> states(state_.entries.all().begin(), state_.entries.all().end());
  // Do not reuse comparisons: attributes may have changed.
  const ContentCache empty;
  const ScanContext context{
      {setup.fs, setup.root, *state_.index, state_.settings, setup.content, empty},
      states,
      state_.rules,
      nullptr,
      nullptr,
      setup.git_dir,
      [&](uint32_t position) { return setup.read_index_blob(*state_.index, position); },
      setup.threads,
      control.files_seen,
      control.cancelled,
      control.tick,
      setup.limit,
  };
  const uint64_t device = state_.top->device;
  // Times on other devices are not reliable.
  const auto watched = [&](const DirectoryNode& node) {
    return node.device == device && state_.watches.is_watched(node);
  };
  const size_t most = std::max(kFewStale, state_.watches.count() / kStalePart);
  const std::vector<LinkedFile> mounted = mounted_files(root);
  Verified verified = verify_tree({context, watched, most}, *state_.top, std::move(root));
  if (control.cancelled && control.cancelled->load()) {
    return Error{ErrorCode::kCancelled, setup.root + ": the scan was cancelled"};
  }
  if (verified.given_up) return false;

  (void)state_.entries.consume_compared();
  begin_new_results(mounted);
  state_.adopt(std::move(verified.findings));
  (void)state_.entries.merge(*state_.index, states);
  for (const std::string& path : verified.stale) read_again(path);
  for (DirectoryNode* node : state_.watches.with_dot_git()) state_.watches.record_dot_git(*node);
  rechecker_.recheck_nested();
  end_new_results();
  return true;
}

// Whether a rescan would find the same as a scan.
bool TreeScanner::can_rescan(const Directory& root) const {
  const TreeState::Setup& setup = state_.setup;
  const DirectoryNode* const top = state_.top.get();
  if (!top || top->submodule || !top->readable() || !top->patterns_readable() || state_.folded ||
      !setup.watcher)
    return false;
  // On other file systems a directory's stat may be outdated, or come from another instance of it.
  if (!setup.watcher->tells_everything(root)) return false;
  if (!state_.watches.is_watched(*top)) return false;
  const Result<FileStat> stat = setup.fs.stat_directory(root);
  if (!stat.ok() || !top->was_read_from(*stat)) return false;
  if (top->is_as_read(*stat)) return true;
  const Result<Watcher::Added> added = setup.watcher->add(root);
  if (added.ok() && added->id == top->watch) return true;
  if (added.ok()) state_.watches.remove_stray(added->id);
  return false;
}

// Watches a directory again. If it is the known directory, rechecks each name in it; otherwise
// reads it and everything below again.
void TreeScanner::read_again(const std::string& path) {
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
  Result<Directory> directory = state_.watches.open(*node);
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

// Call it before a scan examines these files: their state may change meanwhile.
std::vector<LinkedFile> TreeScanner::mounted_files(const Directory& root) const {
  const TreeState::Setup& setup = state_.setup;
  std::vector<LinkedFile> files;
  if (!setup.mounted_below) return files;
  for (std::string& path : setup.mounted_below()) {
    const Timestamp before = setup.fs.now();
    const Result<FileStat> stat = setup.fs.stat_at(root, path);
    if (stat.ok() && stat->kind == FileKind::kRegular) {
      files.push_back({std::move(path), *stat, before});
    }
  }
  return files;
}

// Clears everything that both a scan and a rescan find anew.
void TreeScanner::begin_new_results(const std::vector<LinkedFile>& mounted) {
  state_.links.clear();
  std::set<std::string> paths;
  for (const LinkedFile& file : mounted) paths.insert(file.path);
  state_.links.set_mounted(std::move(paths));
  for (const LinkedFile& file : mounted) state_.links.record(file.path, file.stat, file.at);
  sweeper_.restart();
  state_.sparse_present.clear();
  state_.obstructed.clear();
}

void TreeScanner::end_new_results() {
  state_.ignore_rules_touched = true;
  state_.entries.touch_submodules(*state_.index);
}

}  // namespace resident
