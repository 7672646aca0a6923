// The part of WorktreeTree that looks at the names that events marked.
#include "attributes/attribute_file.h"
#include "object/tree.h"
#include "status/directory_at_file.h"
#include "status/directory_patterns.h"
#include "tree/worktree_tree.h"

namespace resident {

bool WorktreeTree::apply(const Batch& batch) {
  bool all_seen = true;
  for (const auto& [watch, marks] : batch.directories()) {
    if (watches_.record_hint(watch)) continue;
    if (unwatched() > 0) mark_recent(watch);
    if (marks.whole) all_seen &= recheck_watched(watch, marks.arrived);
    for (const auto& [name, mark] : marks.names) {
      // Looked up each time: handling one name can drop directories.
      DirectoryNode* const node = watches_.find(watch);
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

// Where something happens, a watch is worth most.
void WorktreeTree::mark_recent(WatchId watch) {
  if (const DirectoryNode* const node = watches_.find(watch)) recent_.note(node->path());
}

// At the directory that has this watch and at every name in it. False: it could not be listed.
bool WorktreeTree::recheck_watched(WatchId watch, bool arrived) {
  // Asked again each time: a look can drop it.
  const auto node = [&] { return watches_.find(watch); };
  if (node()) recheck_directory(*node());
  if (!node()) return true;
  // Names that came and went are known to nobody any more.
  note(node()->path());
  Result<Directory> directory = watches_.open(*node());
  if (!directory.ok() || !recheck_names(*node(), *directory, arrived)) {
    const DirectoryNode* const unlisted = node();
    if (!unlisted) return true;
    if (!unlisted->parent) return false;
    // Gone, or read anew.
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
  note(node.path());
  if (!node.parent) return;
  Result<Directory> directory = setup_.fs.open_directory_at(
      watches_.root(), std::string_view(node.path()).substr(0, node.path().size() - 1));
  // Gone or replaced: its parent's own event says so.
  const bool readable = directory.ok() || directory.error().code == ErrorCode::kNotFound;
  if (readable != node.readable()) reread_directory(node);
}

void WorktreeTree::mark_submodule(const DirectoryNode& node) {
  const DirectoryNode* top = &node;
  while (top->parent && top->parent->submodule) top = top->parent;
  if (!top->parent) anything_touched_ = true;
  if (!top->parent || !top->parent->is_tracked()) return;
  if (auto position = index_->find_entry(top->parent->index_directory, top->name)) {
    entries_.touch_submodule(*position);
    if (setup_.journal) setup_.journal->record_submodule(index_->path(*position));
  }
}

void WorktreeTree::note(std::string_view path) const {
  if (setup_.journal) setup_.journal->note(path);
}

bool WorktreeTree::is_as_indexed(std::string_view path) const {
  const auto position = index_->find_path(path);
  return position && entries_[*position].is_clean();
}

void WorktreeTree::look(DirectoryNode& node, std::string_view name, bool arrived) {
  // What is in a submodule is no name of ours.
  if (!setup_.journal || node.submodule) return recheck_unlisted(node, name, arrived);
  const std::string path = node.path_of(name);
  if (!looks_for_index_) note(path);
  recheck_unlisted(node, name, arrived);
  // git can have written the index by what it believed of files at another time.
  if (looks_for_index_ && !is_as_indexed(path)) note(path);
}

void WorktreeTree::recheck_unlisted(DirectoryNode& node, std::string_view name, bool arrived) {
  if (node.submodule) mark_submodule(node);
  if (name == ".git") {
    if (!node.parent) return;
    node.has_dot_git = true;
    watches_.record_dot_git(node);
    if (node.submodule) return;
    return recheck_nested();
  }
  if (is_dot_git(name, settings_.ignore_case)) return;
  if (node.nested_repository()) return;

  const std::string path = node.path_of(name);
  const Timestamp before = setup_.fs.now();
  ++work_.lstats;
  Result<FileStat> looked = setup_.fs.stat_at(watches_.root(), path);
  if (!looked.ok() && looked.error().code != ErrorCode::kNotFound) {
    problems_.push_back(looked.error().message);
    return mark_unseen(node, name);
  }
  unseen_.erase(path);
  std::optional<FileStat> stat;
  if (looked.ok()) stat = *looked;

  // In a submodule too: the other name of the file can be one of ours.
  if (stat) links_.record_new(path, *stat);
  const bool is_directory = stat && stat->kind == FileKind::kDirectory;
  if (!is_directory) drop(node, name);
  if (is_directory) {
    enter_directory(node, name, arrived, *stat);
  } else if (!node.submodule) {
    auto position =
        node.is_tracked() ? index_->find_entry(node.index_directory, name) : std::nullopt;
    std::optional<OtherKind> kind;
    if (stat && !position) kind = classify_file(name_rules(), node, path, name, stat->kind);
    node.set_other(name, kind ? &*kind : nullptr);
    untracked_.set(path, kind == OtherKind::kFile);
    if (position) refresh(path, *position, stat);
    if (node.is_tracked()) {
      if (auto below = index_->find_child(node.index_directory, name)) {
        mark_missing(*below);
        if (stat) {
          obstructed_.insert(*below);
        } else {
          obstructed_.erase(*below);
        }
      }
    }
    if (position || name == kGitignore || name == kGitattributes) links_.note(path, stat, before);
  }
  if (top_->submodule && !is_directory) links_.note(path, stat, before);
  if (node.submodule) return;
  if (name == kGitignore) reload_patterns(node);
  if (name == kGitattributes) attributes_touched_ = true;
}

bool WorktreeTree::recheck(std::string_view path) {
  const size_t name = path.rfind('/') + 1;
  DirectoryNode* node = find_node(path.substr(0, name));
  if (node) look(*node, path.substr(name), false);
  return node;
}

void WorktreeTree::recheck_content(std::string_view path) {
  const bool touched = attributes_touched_;
  recheck(path);
  attributes_touched_ = touched;
}

void WorktreeTree::compare_again(std::string_view path) {
  if (const auto position = index_->find_path(path)) entries_.forget_compared(*position);
  recheck_content(path);
}

// What stands at `name` cannot be told. It is looked at again until it can.
void WorktreeTree::mark_unseen(DirectoryNode& node, std::string_view name) {
  unseen_.insert(node.path_of(name));
  drop(node, name);
  if (!node.is_tracked()) return;
  const auto entries = index_->entries_of(node.index_directory);
  for (const IndexEntry& entry : entries) {
    if (index_->name(entry) == name)
      entries_.set(*index_, index_->position(entry), unseen_state(entry));
  }
  if (auto below = index_->find_child(node.index_directory, name)) mark_missing(*below);
}

// A directory stands at `name`.
void WorktreeTree::enter_directory(DirectoryNode& node, std::string_view name, bool arrived,
                                   const FileStat& stat) {
  const std::string path = node.path_of(name);
  const auto position =
      node.is_tracked() ? index_->find_entry(node.index_directory, name) : std::nullopt;
  std::unique_ptr<DirectoryNode> child =
      node_of(classify_directory(name_rules(), node, path, name, position), name);

  if (position) refresh(path, *position, stat);
  if (position && index_->entries()[*position].is_gitlink()) entries_.touch_submodule(*position);
  untracked_.set(path, false);

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
      if (known->nested_repository()) untracked_.set(known->path(), !position);
      return;
    }
    drop(node, name);
  }
  read_subtree(node.insert_child(std::move(child)));
}

std::vector<std::string> WorktreeTree::directories_with_dot_git() const {
  std::vector<std::string> paths;
  for (const DirectoryNode* node : watches_.with_dot_git()) {
    paths.push_back(node->path());
    paths.back().pop_back();
  }
  return paths;
}

// The directory at `path` in place of a file. What is known to have no .git is none; of an ignored
// one nothing is known.
bool WorktreeTree::may_be_repository(const std::string& path) const {
  const DirectoryNode* node = find_node(path + "/");
  return !node || node->has_dot_git || !node->readable();
}

void WorktreeTree::add_files(std::vector<std::string>& files) const {
  for (const std::string& path : directories_at_files_) {
    if (!may_be_repository(path)) continue;
    for (std::string& file : directory_at_file_files(setup_.fs, setup_.root + "/" + path)) {
      files.push_back(std::move(file));
    }
  }
}

void WorktreeTree::recheck_directories_at_files() {
  const RefreshContext context = refresh_context();
  std::erase_if(directories_at_files_, [&](const std::string& path) {
    const auto position = index_->find_path(path);
    if (!position) return true;
    if (!may_be_repository(path)) return false;
    ++work_.lstats;
    const Result<FileStat> stat = setup_.fs.stat_at(watches_.root(), path);
    // What came instead is for others to see.
    if (!stat.ok() || stat->kind != FileKind::kDirectory) return true;
    for (uint32_t stage = *position, end = index_->end_of_path(*position); stage < end; ++stage) {
      const Refreshed now = refresh_entry(context, stage, {watches_.root(), path}, *stat);
      if (!now.is_directory_at_file || now.state == entries_[stage]) continue;
      note(path);
      entries_.take(*index_, stage, now);
    }
    return false;
  });
}

void WorktreeTree::recheck_nested() {
  recheck_directories_at_files();
  for (DirectoryNode* node : watches_.with_dot_git()) {
    // Reading one candidate again can drop another that lies below it.
    if (!watches_.has_dot_git(node) || node->holds_tracked()) continue;
    if (node->submodule) {
      if (watches_.repository_changed(*node)) mark_submodule(*node);
      continue;
    }
    if (watches_.is_repository(*node) == node->nested_repository()) continue;
    reread_directory(*node);
  }
}

}  // namespace resident
