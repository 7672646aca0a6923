#include "tree/worktree_tree.h"

#include <climits>

#include "attributes/attribute_file.h"
#include "object/tree.h"
#include "repository/nested_repository.h"
#include "status/absent.h"
#include "status/stat_match.h"
#include "status/tracked_rows.h"

namespace resident {

Result<void> WorktreeTree::scan(std::shared_ptr<const Index> index, const ExcludeRules& rules,
                                const WorktreeSettings& settings, const ScanControl& control) {
  RESIDENT_TRY(Directory root, state_.setup.fs.open_directory(state_.setup.root));
  // Do not reuse comparisons: attributes may have changed.
  const ContentCache empty;
  std::vector<EntryState> states(index->entries().size());
  auto top = std::make_unique<DirectoryNode>();
  top->index_directory = control.watch_only ? kNoDirectory : 0;
  top->submodule = control.watch_only;
  auto folded = settings.ignore_case ? std::make_shared<const FoldedIndex>(index) : nullptr;
  ScanContext context{
      {state_.setup.fs, state_.setup.root, *index, settings, state_.setup.content, empty},
      states,
      rules,
      folded.get(),
      state_.setup.watcher,
      state_.setup.git_dir,
      [&](uint32_t position) { return state_.setup.read_index_blob(*index, position); },
      state_.setup.threads,
      control.files_seen,
      control.cancelled,
      control.tick,
      state_.setup.limit,
      control.watch_only,
      state_.setup.untracked,
      state_.setup.once,
  };
  RESIDENT_TRY(Directory reading, state_.setup.fs.open_directory(state_.setup.root));
  std::vector<LinkedFile> mounted = mounted_files(reading);
  ScanFindings findings = scan_subtree(context, *top, std::move(reading));
  if (control.cancelled && control.cancelled->load()) {
    // Remove the watches of new directories: no node refers to them.
    for (auto [id, node] : findings.watched) state_.watches.remove_stray(id);
    return Error{ErrorCode::kCancelled, state_.setup.root + ": the scan was cancelled"};
  }

  state_.entries.replace(std::move(states), state_.index.get(), *index);
  state_.index = std::move(index);
  state_.folded = std::move(folded);
  state_.rules = rules;
  state_.settings = settings;
  state_.links.clear();
  record_mounted(std::move(mounted));
  sweeper_.restart();
  state_.unreadable.clear();
  state_.unseen.clear();
  state_.sparse_present.clear();
  state_.obstructed.clear();
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
  state_.ignore_rules_touched = true;
  state_.entries.touch_submodules(*state_.index);
  return {};
}

// Call it before a scan examines these files: their state may change meanwhile.
std::vector<LinkedFile> WorktreeTree::mounted_files(const Directory& root) const {
  std::vector<LinkedFile> files;
  if (!state_.setup.mounted_below) return files;
  for (std::string& path : state_.setup.mounted_below()) {
    const Timestamp before = state_.setup.fs.now();
    const Result<FileStat> stat = state_.setup.fs.stat_at(root, path);
    if (stat.ok() && stat->kind == FileKind::kRegular) {
      files.push_back({std::move(path), *stat, before});
    }
  }
  return files;
}

void WorktreeTree::record_mounted(std::vector<LinkedFile> files) {
  std::set<std::string> paths;
  for (const LinkedFile& file : files) paths.insert(file.path);
  state_.links.set_mounted(std::move(paths));
  for (const LinkedFile& file : files) state_.links.note(file.path, file.stat, file.at);
}

}  // namespace resident
