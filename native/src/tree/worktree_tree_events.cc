// The part of WorktreeTree that rechecks names marked by events.
#include "attributes/attribute_file.h"
#include "object/tree.h"
#include "status/directory_at_file.h"
#include "status/directory_patterns.h"
#include "tree/worktree_tree.h"

namespace resident {

bool WorktreeTree::apply(const Batch& batch) {
  bool all_seen = true;
  for (const auto& [watch, marks] : batch.directories()) {
    if (state_.watches.record_hint(watch)) continue;
    if (state_.watches.unwatched() > 0) mark_recent(watch);
    if (marks.whole) all_seen &= recheck_watched(watch, marks.arrived);
    for (const auto& [name, mark] : marks.names) {
      // Look it up each time: handling a name can delete directories.
      DirectoryNode* const node = state_.watches.find(watch);
      if (!node) break;
      if (name.empty()) {
        recheck_directory(*node);
      } else {
        look(*node, name, mark.arrived);
      }
    }
  }
  return all_seen;
}

// Directories with events should get watches first.
void WorktreeTree::mark_recent(WatchId watch) {
  if (const DirectoryNode* const node = state_.watches.find(watch))
    state_.recent.note(node->path());
}

// Rechecks the directory of this watch and each name in it. False: it could not be listed.
bool WorktreeTree::recheck_watched(WatchId watch, bool arrived) {
  // Look it up each time: a recheck can delete the node.
  const auto node = [&] { return state_.watches.find(watch); };
  if (node()) recheck_directory(*node());
  if (!node()) return true;
  // Names that were added and removed again are unknown.
  state_.record_in_journal(node()->path());
  Result<Directory> directory = state_.watches.open(*node());
  if (!directory.ok() || !recheck_names(*node(), *directory, arrived)) {
    const DirectoryNode* const unlisted = node();
    if (!unlisted) return true;
    if (!unlisted->parent) return false;
    // The directory is gone or will be read again.
    reread_directory(*unlisted);
    return true;
  }
  if (node() && node()->has_dot_git) look(*node(), ".git", arrived);
  return true;
}

void WorktreeTree::reread_directory(const DirectoryNode& node) {
  DirectoryNode& parent = *node.parent;
  const std::string name = node.name;
  look(parent, name, true);
}

void WorktreeTree::recheck_directory(DirectoryNode& node) {
  state_.record_in_journal(node.path());
  if (!node.parent) return;
  Result<Directory> directory = state_.setup.fs.open_directory_at(
      state_.watches.root(), std::string_view(node.path()).substr(0, node.path().size() - 1));
  // If it is gone or replaced, its parent gets an event.
  const bool readable = directory.ok() || directory.error().code == ErrorCode::kNotFound;
  if (readable != node.readable()) reread_directory(node);
}

bool WorktreeTree::is_as_indexed(std::string_view path) const {
  const auto position = state_.index->find_path(path);
  return position && state_.entries[*position].is_clean();
}

void WorktreeTree::look(DirectoryNode& node, std::string_view name, bool arrived) {
  // Names in a submodule are not recorded in the journal.
  if (!state_.setup.journal || node.submodule) return recheck_unlisted(node, name, arrived);
  const std::string path = node.path_of(name);
  if (!looks_for_index_) state_.record_in_journal(path);
  recheck_unlisted(node, name, arrived);
  // git may have written the index from an older state of the files.
  if (looks_for_index_ && !is_as_indexed(path)) state_.record_in_journal(path);
}

void WorktreeTree::recheck_unlisted(DirectoryNode& node, std::string_view name, bool arrived) {
  if (node.submodule) state_.mark_submodule(node);
  if (name == ".git") {
    if (!node.parent) return;
    node.has_dot_git = true;
    state_.watches.record_dot_git(node);
    if (node.submodule) return;
    return recheck_nested();
  }
  if (is_dot_git(name, state_.settings.ignore_case)) return;
  if (node.nested_repository()) return;

  const std::string path = node.path_of(name);
  const Timestamp before = state_.setup.fs.now();
  ++state_.work.lstats;
  Result<FileStat> looked = state_.setup.fs.stat_at(state_.watches.root(), path);
  if (!looked.ok() && looked.error().code != ErrorCode::kNotFound) {
    state_.problems.push_back(looked.error().message);
    return mark_unseen(node, name);
  }
  state_.unseen.erase(path);
  std::optional<FileStat> stat;
  if (looked.ok()) stat = *looked;

  // Also in a submodule, because another link of the file may be in this worktree.
  if (stat) state_.links.record_new(path, *stat);
  const bool is_directory = stat && stat->kind == FileKind::kDirectory;
  if (!is_directory) drop(node, name);
  if (is_directory) {
    enter_directory(node, name, arrived, *stat);
  } else if (!node.submodule) {
    auto position =
        node.is_tracked() ? state_.index->find_entry(node.index_directory, name) : std::nullopt;
    std::optional<OtherKind> kind;
    if (stat && !position) kind = classify_file(state_.name_rules(), node, path, name, stat->kind);
    node.set_other(name, kind ? &*kind : nullptr);
    state_.untracked.set(path, kind == OtherKind::kFile);
    if (position) state_.refresh(path, *position, stat);
    if (node.is_tracked()) {
      if (auto below = state_.index->find_child(node.index_directory, name)) {
        state_.mark_missing(*below);
        if (stat) {
          state_.obstructed.insert(*below);
        } else {
          state_.obstructed.erase(*below);
        }
      }
    }
    if (position || name == kGitignore || name == kGitattributes)
      state_.links.note(path, stat, before);
  }
  if (state_.top->submodule && !is_directory) state_.links.note(path, stat, before);
  if (node.submodule) return;
  if (name == kGitignore) reload_patterns(node);
  if (name == kGitattributes) state_.attributes_touched = true;
}

bool WorktreeTree::recheck(std::string_view path) {
  const size_t name = path.rfind('/') + 1;
  DirectoryNode* node = state_.find_node(path.substr(0, name));
  if (node) look(*node, path.substr(name), false);
  return node;
}

void WorktreeTree::recheck_content(std::string_view path) {
  const bool touched = state_.attributes_touched;
  recheck(path);
  state_.attributes_touched = touched;
}

void WorktreeTree::compare_again(std::string_view path) {
  if (const auto position = state_.index->find_path(path))
    state_.entries.forget_compared(*position);
  recheck_content(path);
}

// lstat failed for `name`. poll_unreadable() retries it.
void WorktreeTree::mark_unseen(DirectoryNode& node, std::string_view name) {
  state_.unseen.insert(node.path_of(name));
  drop(node, name);
  if (!node.is_tracked()) return;
  const auto entries = state_.index->entries_of(node.index_directory);
  for (const IndexEntry& entry : entries) {
    if (state_.index->name(entry) == name)
      state_.entries.set(*state_.index, state_.index->position(entry), unseen_state(entry));
  }
  if (auto below = state_.index->find_child(node.index_directory, name))
    state_.mark_missing(*below);
}

// Handles a directory at `name`.
void WorktreeTree::enter_directory(DirectoryNode& node, std::string_view name, bool arrived,
                                   const FileStat& stat) {
  const std::string path = node.path_of(name);
  const auto position =
      node.is_tracked() ? state_.index->find_entry(node.index_directory, name) : std::nullopt;
  std::unique_ptr<DirectoryNode> child =
      node_of(classify_directory(state_.name_rules(), node, path, name, position), name);

  if (position) state_.refresh(path, *position, stat);
  if (position && state_.index->entries()[*position].is_gitlink())
    state_.entries.touch_submodule(*position);
  state_.untracked.set(path, false);

  if (!child) {
    drop(node, name);
    const OtherKind kind = OtherKind::kIgnoredDirectory;
    node.set_other(name, &kind);
    return;
  }
  node.set_other(name, nullptr);
  if (DirectoryNode* known = node.find_child(name)) {
    const bool same = known->was_read_from(stat) && known->submodule == child->submodule &&
                      known->folded == child->folded &&
                      known->index_directory == child->index_directory;
    if (same && !arrived && known->readable()) {
      if (known->nested_repository()) state_.untracked.set(known->path(), !position);
      return;
    }
    drop(node, name);
  }
  read_subtree(node.insert_child(std::move(child)));
}

void WorktreeTree::recheck_directories_at_files() {
  const RefreshContext context = state_.refresh_context();
  std::erase_if(state_.directories_at_files, [&](const std::string& path) {
    const auto position = state_.index->find_path(path);
    if (!position) return true;
    if (!state_.may_be_repository(path)) return false;
    ++state_.work.lstats;
    const Result<FileStat> stat = state_.setup.fs.stat_at(state_.watches.root(), path);
    // Other checks handle the replacement.
    if (!stat.ok() || stat->kind != FileKind::kDirectory) return true;
    for (uint32_t stage = *position, end = state_.index->end_of_path(*position); stage < end;
         ++stage) {
      const Refreshed now = refresh_entry(context, stage, {state_.watches.root(), path}, *stat);
      if (!now.is_directory_at_file || now.state == state_.entries[stage]) continue;
      state_.record_in_journal(path);
      state_.entries.take(*state_.index, stage, now);
    }
    return false;
  });
}

void WorktreeTree::recheck_nested() {
  recheck_directories_at_files();
  for (DirectoryNode* node : state_.watches.with_dot_git()) {
    // Rereading one node can delete another below it.
    if (!state_.watches.has_dot_git(node) || node->holds_tracked()) continue;
    if (node->submodule) {
      if (state_.watches.repository_changed(*node)) state_.mark_submodule(*node);
      continue;
    }
    if (state_.watches.is_repository(*node) == node->nested_repository()) continue;
    reread_directory(*node);
  }
}

}  // namespace resident
