// The part of WorktreeTree that looks without an event: at what no watch tells of.
#include <algorithm>

#include "model/worktree_tree.h"
#include "object/tree.h"

namespace resident {

bool WorktreeTree::root_is_there() const {
  Result<FileStat> now = setup_.fs.stat(setup_.root);
  return now.ok() && now->device == top_->device && now->inode == top_->inode;
}

// Every name that is in it or was, but .git. False: it could not be listed.
bool WorktreeTree::look_at_names(DirectoryNode& node, const Directory& directory, bool arrived) {
  std::set<std::string> names;
  for (const auto& child : node.children()) names.insert(child->name);
  for (const Other& other : node.others()) names.insert(other.name);
  if (node.is_tracked()) {
    for (const IndexEntry& entry : index_->entries_of(node.index_directory)) {
      names.emplace(index_->name(entry));
    }
  }
  DirectoryListing listing;
  const bool listed = setup_.fs.list(directory, listing).ok();
  for (size_t i = 0; listed && i < listing.size(); ++i) names.emplace(listing[i].name);
  node.has_dot_git |= node.parent && names.contains(".git");
  names.erase(".git");
  for (const std::string& name : names) look(node, name, arrived);
  return listed;
}

// Still at its path.
bool WorktreeTree::stands(const DirectoryNode& node) const {
  std::string path = node.path();
  if (path.empty()) return true;
  path.pop_back();
  const Result<FileStat> stat = setup_.fs.stat_at(root_, path);
  return stat.ok() && stat->kind == FileKind::kDirectory && node.was_read_from(*stat);
}

// Whoever had the watches may have let go of them, or the limit was raised.
void WorktreeTree::watch_unwatched() {
  if (!setup_.watcher) return;
  const std::set<DirectoryNode*> nodes = unwatched_;
  for (DirectoryNode* node : nodes) {
    Result<Directory> directory = open(*node);
    if (!directory.ok()) continue;
    Result<Watcher::Added> added = setup_.watcher->add(*directory);
    if (!added.ok()) continue;
    if (added->at_limit) return;
    unwatched_.erase(node);
    node->watch = added->id;
    take_watch(added->id, *node);
  }
}

void WorktreeTree::poll() {
  poll_directories();
  poll_unreadable();
}

void WorktreeTree::poll_directories() {
  if (polled() == 0) return;
  const Timestamp now = setup_.fs.now();
  to_poll_ = unwatched_;
  to_poll_.insert(untold_.begin(), untold_.end());
  // What happens from then on is told, so they are looked at once more after it.
  watch_unwatched();
  while (!to_poll_.empty()) {
    DirectoryNode* node = to_poll_.extract(to_poll_.begin()).value();
    std::string path = node->path();
    if (node->parent) {
      path.pop_back();
      Result<FileStat> stat = setup_.fs.stat_at(root_, path);
      const bool same = stat.ok() && stat->kind == FileKind::kDirectory &&
                        node->was_read_from(*stat) && stat->mtime == node->mtime;
      if (!same) {
        DirectoryNode& parent = *node->parent;
        const std::string name = node->name;
        look(parent, name, true);
        continue;
      }
    } else if (Result<FileStat> stat = setup_.fs.stat_directory(root_);
               stat.ok() && stat->mtime != node->mtime) {
      if (look_at_names(*node, root_)) node->note_stat(*stat, now);
      continue;
    }
    if (node->submodule) {
      mark_submodule(*node);
      continue;
    }
    if (!node->is_tracked()) continue;
    // An edit in place leaves the directory's mtime: only lstat of each file tells.
    std::vector<std::string> names;
    for (const IndexEntry& entry : index_->entries_of(node->index_directory)) {
      if (entry.stage() <= 1 || names.empty() || names.back() != index_->name(entry)) {
        names.emplace_back(index_->name(entry));
      }
    }
    for (const std::string& name : names) look(*node, name, false);
  }
}

void WorktreeTree::poll_unreadable() {
  for (const std::string& path : std::set<std::string>(unseen_)) {
    if (!look_at(path)) unseen_.erase(path);
  }
  const std::set<DirectoryNode*> nodes = unreadable_;
  for (DirectoryNode* node : nodes) {
    if (!unreadable_.contains(node)) continue;
    std::string path = node->path();
    path.pop_back();
    const Result<Directory> opened = setup_.fs.open_directory_at(root_, path);
    if (!opened.ok() && opened.error().code != ErrorCode::kNotFound) {
      if (node->is_tracked()) refresh_below(node->index_directory);
      continue;
    }
    DirectoryNode& parent = *node->parent;
    const std::string name = node->name;
    look(parent, name, true);
  }
}

void WorktreeTree::note_links(const std::string& path, const std::optional<FileStat>& stat,
                              Timestamp at) {
  if (!stat || stat->kind != FileKind::kRegular || stat->links <= 1) {
    linked_.erase(path);
  } else if (linked_.size() < kMostLinkedFiles || linked_.contains(path)) {
    linked_.insert_or_assign(path, CachedStat{*stat, at});
  } else {
    // How many they are is counted by the sweep.
    linked_beyond_ = std::max<uint64_t>(linked_beyond_, 1);
  }
}

// A new link changes nothing that its file's other names are watched for. Those that the index or
// an earlier look know by the same inode are looked at; where neither knows, everything is.
void WorktreeTree::look_at_other_names() {
  const std::set<uint32_t> inodes = std::exchange(new_links_, {});
  if (inodes.empty()) return;
  std::vector<std::string> to_look;
  for (uint32_t i = 0; i < states_.size(); ++i) {
    const IndexEntry& entry = index_->entries()[i];
    if (entry.mode == kModeGitlink || states_[i].is_absent()) continue;
    const auto seen = content_cache_.find(i);
    const uint32_t inode = seen == content_cache_.end()
                               ? entry.stat.inode
                               : static_cast<uint32_t>(seen->second.stat.inode);
    if (inode != 0 && states_[i].is_clean() && !inodes.contains(inode)) continue;
    std::string path = index_->path(i);
    if (!linked_.contains(path)) to_look.push_back(std::move(path));
  }
  for (const std::string& path : to_look) look_at(path);
  new_links_.clear();
}

void WorktreeTree::poll_linked() {
  look_at_other_names();
  if (settings_.unskip_present) {
    for (uint32_t directory : obstructed_) mark_missing(directory);
  }
  std::vector<std::string> to_look;
  for (const auto& [path, known] : linked_) {
    ++work_.lstats;
    Result<FileStat> stat = setup_.fs.stat_at(root_, path);
    if (!stat.ok() || !known.is_current(*stat)) to_look.push_back(path);
  }
  if (linked_beyond_ > 0) sweep(kMostLinkedFiles);
  for (const std::string& path : to_look) {
    if (!look_at(path)) linked_.erase(path);
  }
}

}  // namespace resident
