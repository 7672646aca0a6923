#include "tree/tree_watches.h"

#include <optional>
#include <string>
#include <utility>

#include "repository/nested_repository.h"
#include "watch/watch_ids.h"

namespace resident {

Result<Directory> TreeWatches::open(const DirectoryNode& node) const {
  if (!node.parent) return fs_.open_directory(root_path_);
  const std::string path = node.path();
  return fs_.open_directory_at(root_, std::string_view(path).substr(0, path.size() - 1));
}

// --- Watches

DirectoryNode* TreeWatches::find(WatchId watch) const {
  const auto known = by_watch_.find(watch);
  return known == by_watch_.end() ? nullptr : known->second;
}

void TreeWatches::take(WatchId watch, DirectoryNode& node) {
  unwatched_.erase(&node);
  hints_.drop(node);
  node.watch = watch;
  if (watch == kRootWatch) {
    covered_.insert(&node);
    if (!tells_everything(node)) unwatchable_.insert(&node);
    return;
  }
  DirectoryNode*& owner = by_watch_[watch];
  if (owner && owner != &node && stands(*owner)) {
    // With a bind mount, two paths can be the same directory.
    node.watch = kNoWatch;
    unwatchable_.insert(&node);
    return;
  }
  owner = &node;
  if (!tells_everything(node)) unwatchable_.insert(&node);
}

// True if the directory is still at the node's path.
bool TreeWatches::stands(const DirectoryNode& node) const {
  std::string path = node.path();
  if (path.empty()) return true;
  path.pop_back();
  const Result<FileStat> stat = fs_.stat_at(root_, path);
  return stat.ok() && stat->kind == FileKind::kDirectory && node.was_read_from(*stat);
}

bool TreeWatches::tells_everything(const DirectoryNode& node) {
  const auto [known, is_new] = tells_all_.try_emplace(node.device, true);
  if (is_new) {
    Result<Directory> directory = open(node);
    known->second = directory.ok() && watcher_->tells_everything(*directory);
  }
  return known->second;
}

bool TreeWatches::renew(DirectoryNode& node, const Directory& directory) {
  if (!watcher_) return true;
  Result<Watcher::Added> added = watcher_->add(directory);
  if (!added.ok() || added->at_limit || added->id == node.watch) return true;
  if (is_watched(node)) by_watch_.erase(node.watch);
  take(added->id, node);
  return false;
}

void TreeWatches::drop(DirectoryNode& node) {
  // A moved directory already has the same watch at its new node.
  if (is_watched(node)) {
    watcher_->remove(node.watch);
    by_watch_.erase(node.watch);
  }
  covered_.erase(&node);
  unwatched_.erase(&node);
  hints_.drop(node);
  unwatchable_.erase(&node);
  changed_.erase(&node);
  if (auto dot_git = dot_gits_.extract(&node)) forget_dot_git_watch(dot_git.mapped().watch);
}

void TreeWatches::remove_stray(WatchId watch) const {
  if (watch != kNoWatch && !by_watch_.contains(watch)) watcher_->remove(watch);
}

TreeWatches::Replaced TreeWatches::begin_replacing() {
  covered_.clear();
  unwatched_.clear();
  hints_.drop_all();
  unwatchable_.clear();
  changed_.clear();
  tells_all_.clear();
  return {std::exchange(by_watch_, {}), std::exchange(dot_gits_, {})};
}

void TreeWatches::end_replacing(const Replaced& replaced) {
  for (const auto& [watch, node] : replaced.by_watch) {
    if (!by_watch_.contains(watch)) watcher_->remove(watch);
  }
  for (const auto& [node, dot_git] : replaced.dot_gits) forget_dot_git_watch(dot_git.watch);
}

// --- Directories that need polling

void TreeWatches::begin_polling(const Nodes& prioritized) {
  if (!watcher_) return;
  // Other programs may have released watches, or the limit was raised.
  for (auto next = unwatched_.begin(); next != unwatched_.end();) {
    // take() removes a node with a watch from the set.
    if (!add_missing(**next++)) break;
  }
  if (!unwatched_.empty()) move_watches(prioritized);
  if (hints_.wants_any()) ask_for_hints();
}

void TreeWatches::mark_unwatched(DirectoryNode& node) {
  unwatched_.insert(&node);
  hints_.want(node);
}

// An open directory blocks the unmount of its file system. Only the root's file system gets hints,
// because the root is always open.
void TreeWatches::ask_for_hints() {
  Result<FileStat> root = fs_.stat_directory(root_);
  if (!root.ok()) return;
  hints_.ask([&](const DirectoryNode& node) -> std::optional<std::string> {
    if (node.device != root->device || !tells_everything(node)) return std::nullopt;
    return root_path_ + "/" + node.path();
  });
}

TreeWatches::Nodes TreeWatches::all_to_poll() const {
  Nodes nodes = unwatched_;
  nodes.insert(unwatchable_.begin(), unwatchable_.end());
  nodes.insert(changed_.begin(), changed_.end());
  return nodes;
}

// False: the watch limit is reached.
bool TreeWatches::add_missing(DirectoryNode& node) {
  Result<Directory> directory = open(node);
  if (!directory.ok()) return true;
  Result<Watcher::Added> added = watcher_->add(*directory);
  if (!added.ok()) return true;
  if (added->at_limit) return false;
  take(added->id, node);
  changed_.insert(&node);
  return true;
}

void TreeWatches::move_watches(const Nodes& prioritized) {
  for (DirectoryNode* node : prioritized) {
    if (!unwatched_.contains(node)) continue;
    DirectoryNode* const giver = find_dispensable(prioritized);
    if (!giver) return;
    watcher_->remove(giver->watch);
    by_watch_.erase(giver->watch);
    giver->watch = kNoWatch;
    mark_unwatched(*giver);
    changed_.insert(giver);
    // Another program may have taken the released watch.
    if (!add_missing(*node)) return;
  }
}

// Spares the uppermost directories, because most changes of names happen there.
DirectoryNode* TreeWatches::find_dispensable(const Nodes& prioritized) const {
  for (const auto& [watch, node] : by_watch_) {
    const bool is_high = !node->parent || !node->parent->parent;
    if (!is_high && !prioritized.contains(node) && !unwatchable_.contains(node)) return node;
  }
  return nullptr;
}

// --- Directories with a .git

void TreeWatches::record_dot_git(DirectoryNode& node) {
  DotGit& dot_git = dot_gits_[&node];
  const bool is_submodule = node.submodule && !node.parent->submodule;
  if (!watcher_ || node.holds_tracked() || is_submodule) return;
  const WatchId before = std::exchange(dot_git.watch, kNoWatch);
  const Result<Directory> directory = fs_.open_directory_at(root_, node.path_of(".git"));
  if (directory.ok()) {
    if (Result<Watcher::Added> added = watcher_->add(*directory); added.ok())
      dot_git.watch = added->id;
  }
  if (node.submodule) {
    dot_git.is_directory = directory.ok();
    dot_git.makes_repository = directory.ok() && is_repository(node);
  }
  forget_dot_git_watch(before);
}

bool TreeWatches::repository_changed(DirectoryNode& node) {
  const auto found = dot_gits_.find(&node);
  if (found == dot_gits_.end() || !found->second.is_directory) return false;
  const bool now = is_repository(node);
  return std::exchange(found->second.makes_repository, now) != now;
}

bool TreeWatches::is_repository(const DirectoryNode& node) const {
  std::string path = root_path_ + "/" + node.path();
  path.pop_back();
  return is_nested_repository(fs_, path);
}

// Removes the watch, unless another node has it now because the directory was moved.
void TreeWatches::forget_dot_git_watch(WatchId watch) {
  if (watch == kNoWatch) return;
  for (const auto& [node, other] : dot_gits_) {
    if (other.watch == watch) return;
  }
  watcher_->remove(watch);
}

std::vector<DirectoryNode*> TreeWatches::with_dot_git() const {
  std::vector<DirectoryNode*> nodes;
  for (const auto& [node, dot_git] : dot_gits_) nodes.push_back(node);
  return nodes;
}

std::vector<std::string> TreeWatches::paths_with_dot_git() const {
  std::vector<std::string> paths;
  for (const auto& [node, dot_git] : dot_gits_) {
    paths.push_back(node->path());
    paths.back().pop_back();
  }
  return paths;
}

}  // namespace resident
