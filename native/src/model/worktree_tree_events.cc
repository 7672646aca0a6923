// The part of WorktreeTree that looks at the names that events marked.
#include "model/worktree_tree.h"
#include "object/tree.h"
#include "repository/nested_repository.h"

namespace resident {

bool WorktreeTree::apply(const Batch& batch) {
  bool all_seen = true;
  for (const auto& [watch, marks] : batch.directories()) {
    if (marks.whole) all_seen &= look_at_all(watch, marks.arrived);
    for (const auto& [name, mark] : marks.names) {
      // Looked up each time: handling one name can drop directories.
      auto known = nodes_by_watch_.find(watch);
      if (known == nodes_by_watch_.end()) break;
      if (name.empty()) {
        look_at_self(*known->second);
      } else {
        look(*known->second, name, mark.arrived);
      }
    }
  }
  return all_seen;
}

// At the directory that has this watch and at every name in it. False: it could not be listed.
bool WorktreeTree::look_at_all(WatchId watch, bool arrived) {
  const auto node = [&]() -> DirectoryNode* {
    const auto known = nodes_by_watch_.find(watch);
    return known == nodes_by_watch_.end() ? nullptr : known->second;
  };
  if (node()) look_at_self(*node());
  if (!node()) return true;
  Result<Directory> directory = open(*node());
  if (!directory.ok() || !look_at_names(*node(), *directory, arrived)) {
    DirectoryNode* const unlisted = node();
    if (!unlisted) return true;
    if (!unlisted->parent) return false;
    // Gone, or read anew.
    DirectoryNode& parent = *unlisted->parent;
    const std::string name = unlisted->name;
    look(parent, name, true);
    return true;
  }
  if (node() && node()->has_dot_git) look(*node(), ".git", arrived);
  return true;
}

void WorktreeTree::look_at_self(DirectoryNode& node) {
  if (!node.parent) return;
  Result<Directory> directory = setup_.fs.open_directory_at(
      root_, std::string_view(node.path()).substr(0, node.path().size() - 1));
  // Gone or replaced: its parent's own event says so.
  const bool readable = directory.ok() || directory.error().code == ErrorCode::kNotFound;
  if (readable == node.readable()) return;
  DirectoryNode& parent = *node.parent;
  const std::string name = node.name;
  look(parent, name, true);
}

void WorktreeTree::mark_submodule(const DirectoryNode& node) {
  const DirectoryNode* top = &node;
  while (top->parent && top->parent->submodule) top = top->parent;
  if (!top->parent) touched_.anything = true;
  if (!top->parent || !top->parent->is_tracked()) return;
  if (auto position = index_->find_entry(top->parent->index_directory, top->name)) {
    touched_.submodules.insert(*position);
  }
}

void WorktreeTree::look(DirectoryNode& node, std::string_view name, bool arrived) {
  if (node.submodule) mark_submodule(node);
  if (name == ".git") {
    if (!node.parent) return;
    node.has_dot_git = true;
    note_dot_git(node);
    if (node.submodule) return;
    return recheck_nested();
  }
  if (is_dot_git(name, settings_.ignore_case)) return;
  if (node.nested_repository()) return;

  const std::string path = node.path_of(name);
  const Timestamp before = setup_.fs.now();
  ++work_.lstats;
  Result<FileStat> looked = setup_.fs.stat_at(root_, path);
  if (!looked.ok() && looked.error().code != ErrorCode::kNotFound) {
    problems_.push_back(looked.error().message);
    return note_unseen(node, name);
  }
  unseen_.erase(path);
  std::optional<FileStat> stat;
  if (looked.ok()) stat = *looked;

  // In a submodule too: the other name of the file can be one of ours.
  if (stat && stat->kind == FileKind::kRegular && stat->links > 1 && !linked_.contains(path)) {
    new_links_.insert(static_cast<uint32_t>(stat->inode));
  }
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
    set_untracked(path, kind == OtherKind::kFile);
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
    if (position || name == ".gitignore" || name == ".gitattributes")
      note_links(path, stat, before);
  }
  if (top_->submodule && !is_directory) note_links(path, stat, before);
  if (node.submodule) return;
  if (name == ".gitignore") reload_patterns(node);
  if (name == ".gitattributes") touched_.attributes = true;
}

bool WorktreeTree::look_at(std::string_view path) {
  const size_t name = path.rfind('/') + 1;
  DirectoryNode* node = find_node(path.substr(0, name));
  if (node) look(*node, path.substr(name), false);
  return node;
}

// What stands at `name` cannot be told. It is looked at again until it can.
void WorktreeTree::note_unseen(DirectoryNode& node, std::string_view name) {
  unseen_.insert(node.path_of(name));
  drop(node, name);
  if (!node.is_tracked()) return;
  const auto entries = index_->entries_of(node.index_directory);
  for (const IndexEntry& entry : entries) {
    if (index_->name(entry) == name) set_state(index_->position(entry), unseen_state(entry));
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
  if (position && index_->entries()[*position].is_gitlink()) touched_.submodules.insert(*position);
  set_untracked(path, false);

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
    if (same && !arrived && known->readable()) return;
    drop(node, name);
  }
  read_subtree(node.insert_child(std::move(child)));
}

// Its .git is watched, so that what is made or removed in it wakes whoever then calls
// recheck_nested(). A .git that is a file is seen by the watch on its directory.
void WorktreeTree::note_dot_git(DirectoryNode& node) {
  WatchId& watch = with_dot_git_.try_emplace(&node, kNoWatch).first->second;
  if (!setup_.watcher || node.holds_tracked() || node.submodule) return;
  const WatchId before = std::exchange(watch, kNoWatch);
  if (Result<Directory> dot_git = setup_.fs.open_directory_at(root_, node.path_of(".git"));
      dot_git.ok()) {
    if (Result<Watcher::Added> added = setup_.watcher->add(*dot_git); added.ok()) watch = added->id;
  }
  forget_dot_git_watch(before);
}

std::vector<std::string> WorktreeTree::directories_with_dot_git() const {
  std::vector<std::string> paths;
  for (const auto& [node, watch] : with_dot_git_) {
    paths.push_back(node->path());
    paths.back().pop_back();
  }
  return paths;
}

// Unless it is another node's by now: of a directory that was moved.
void WorktreeTree::forget_dot_git_watch(WatchId watch) {
  if (watch == kNoWatch) return;
  for (const auto& [node, other] : with_dot_git_) {
    if (other == watch) return;
  }
  setup_.watcher->remove(watch);
}

void WorktreeTree::recheck_nested() {
  const std::map<DirectoryNode*, WatchId> candidates = with_dot_git_;
  for (const auto& [node, watch] : candidates) {
    // Reading one candidate again can drop another that lies below it.
    if (!with_dot_git_.contains(node) || node->holds_tracked() || node->submodule) continue;
    std::string path = absolute(*node);
    path.pop_back();
    if (is_nested_repository(setup_.fs, path) == node->nested_repository()) continue;
    DirectoryNode& parent = *node->parent;
    const std::string name = node->name;
    look(parent, name, true);
  }
}

}  // namespace resident
