#include "tree/tree_state.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "object/tree.h"
#include "status/absent.h"
#include "status/directory_at_file.h"
#include "status/examine.h"
#include "status/stat_match.h"
#include "status/tracked_rows.h"

namespace resident {

// --- Reading

DirectoryNode* TreeState::find_node(std::string_view path) const {
  DirectoryNode* node = top.get();
  while (node && !path.empty()) {
    const size_t slash = path.find('/');
    node = node->find_child(path.substr(0, slash));
    path.remove_prefix(slash + 1);
  }
  return node;
}

bool TreeState::is_ignored(std::string_view path, bool is_directory) const {
  const DirectoryNode* node = top.get();
  for (size_t at = 0;;) {
    const size_t slash = path.find('/', at);
    const std::string_view name = path.substr(at, slash - at);
    const bool last = slash == std::string_view::npos;
    if (node->is_tracked() && last && index->find_entry(node->index_directory, name)) return false;
    const bool tracked_directory =
        node->is_tracked() && index->find_child(node->index_directory, name).has_value();
    if (!tracked_directory || last) {
      if (rules.ignores(*node, path.substr(0, slash), name, !last || is_directory)) {
        return !tracked_directory;
      }
    }
    if (last) return false;
    const DirectoryNode* child = node->find_child(name);
    if (!child || child->submodule || child->nested_repository()) return false;
    node = child;
    at = slash + 1;
  }
}

bool TreeState::root_is_there() const {
  Result<FileStat> now = setup.fs.stat(setup.root);
  return now.ok() && now->device == top->device && now->inode == top->inode;
}

bool TreeState::polls() const {
  if (watches.polled() > 0 || !watches.changed().empty() || !unseen.empty()) return true;
  const bool all = setup.watcher && !setup.watcher->tells_of_subdirectories();
  return std::any_of(unreadable.begin(), unreadable.end(), [all](const DirectoryNode* node) {
    return all || node->is_tracked() || node->submodule;
  });
}

// Without a .git it is certainly not a repository; ignored directories have no node.
bool TreeState::may_be_repository(const std::string& path) const {
  const DirectoryNode* node = find_node(path + "/");
  return !node || node->has_dot_git || !node->readable();
}

void TreeState::add_files(std::vector<std::string>& files) const {
  for (const std::string& path : directories_at_files) {
    if (!may_be_repository(path)) continue;
    for (std::string& file : directory_at_file_files(setup.fs, setup.root + "/" + path)) {
      files.push_back(std::move(file));
    }
  }
}

// --- Contexts

RefreshContext TreeState::refresh_context() const {
  return {setup.fs, setup.root, *index, settings, setup.content, entries.compared()};
}

ScanContext TreeState::scan_context() {
  return ScanContext{
      refresh_context(),
      entries.begin_scan(),
      rules,
      folded.get(),
      setup.watcher,
      setup.git_dir,
      [this](uint32_t position) { return setup.read_index_blob(*index, position); },
      1,
      nullptr,
      nullptr,
      nullptr,
      setup.limit,
      top && top->submodule,
  };
}

// --- Storing results

void TreeState::adopt(ScanFindings&& findings) {
  for (auto& [position, look] : findings.compared) entries.record_compared(position, look);
  for (auto [id, node] : findings.watched) watches.take(id, *node);
  watches.mark_unwatched(findings.unwatched);
  unreadable.insert(findings.unreadable.begin(), findings.unreadable.end());
  sparse_present.insert(findings.sparse.begin(), findings.sparse.end());
  obstructed.insert(findings.obstructed.begin(), findings.obstructed.end());
  directories_at_files.insert(findings.directories_at_files.begin(),
                              findings.directories_at_files.end());
  std::move(findings.problems.begin(), findings.problems.end(), std::back_inserter(problems));
  for (LinkedFile& file : findings.linked) {
    links.record(file.path, file.stat, file.at);
  }
  links.add_beyond(findings.more_linked);
  for (const uint64_t inode : findings.new_links) links.record_new(inode);
  work.directories += findings.directories;
  work.lstats += findings.lstats;
  work.contents_read += findings.contents_read;
  if (top) {
    for (auto [id, node] : findings.watched) {
      if (node->has_dot_git) watches.record_dot_git(*node);
    }
    for (DirectoryNode* node : findings.unwatched) {
      if (node->has_dot_git) watches.record_dot_git(*node);
    }
  }
}

void TreeState::refresh(std::string_view path, uint32_t position,
                        const std::optional<FileStat>& stat) {
  const RefreshContext context = refresh_context();
  for (const uint32_t end = index->end_of_path(position); position < end; ++position) {
    take(position, refresh_entry(context, position, {watches.root(), path}, stat));
    const IndexEntry& entry = index->entries()[position];
    if (is_rename_destination(entry)) entries.touch(position);
    rewritten_within_second |=
        stat && is_rewritten_within_second(entry, *stat, index->mtime(), settings);
  }
}

void TreeState::refresh_below(uint32_t index_directory) {
  const RefreshContext context = refresh_context();
  const auto [first, last] = index->subtree_entries(index_directory);
  for (uint32_t next = first; next < last;) {
    const uint32_t position = std::exchange(next, index->end_of_path(next));
    const std::string path = index->path(position);
    const Examined examined = examine_path(
        context, position, next, {watches.root(), path}, Listed::kUnknown,
        [this](uint32_t stage, const Refreshed& refreshed) { take(stage, refreshed); });
    work.lstats += examined.lstat;
  }
}

void TreeState::take(uint32_t position, const Refreshed& refreshed) {
  if (refreshed.compared) ++work.contents_read;
  if (refreshed.problem) problems.push_back(refreshed.problem->message);
  if (refreshed.is_directory_at_file) directories_at_files.insert(index->path(position));
  entries.take(*index, position, refreshed);
}

void TreeState::mark_missing(uint32_t index_directory) {
  const RefreshContext context = refresh_context();
  const MissingDirectory missing(context, index_directory);
  const auto [first, last] = index->subtree_entries(index_directory);
  for (uint32_t i = first; i < last; ++i) entries.set(*index, i, missing.state_of(i));
  if (!missing.is_linked()) return;
  const auto sparse = index->sparse_directories_in(index_directory);
  sparse_present.insert(sparse.begin(), sparse.end());
}

void TreeState::mark_submodule(const DirectoryNode& node) {
  const DirectoryNode* highest = &node;
  while (highest->parent && highest->parent->submodule) highest = highest->parent;
  const DirectoryNode* const parent = highest->parent;
  if (!parent) anything_touched = true;
  if (!parent || !parent->is_tracked()) return;
  if (auto position = index->find_entry(parent->index_directory, highest->name)) {
    entries.touch_submodule(*position);
    if (setup.journal) setup.journal->record_submodule(index->path(*position));
  }
}

void TreeState::record_in_journal(std::string_view path) const {
  if (setup.journal) setup.journal->note(path);
}

bool TreeState::has_collected() const {
  return entries.has_touched() || untracked.has_touched() || entries.has_touched_submodules() ||
         ignore_rules_touched || attributes_touched || anything_touched || !problems.empty() ||
         !sparse_present.empty();
}

Touched TreeState::consume_touched() {
  return {entries.consume_touched(),
          untracked.consume_touched(),
          entries.consume_touched_submodules(),
          std::exchange(ignore_rules_touched, false),
          std::exchange(attributes_touched, false),
          std::exchange(anything_touched, false)};
}

}  // namespace resident
