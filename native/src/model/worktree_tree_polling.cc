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

void WorktreeTree::poll() {
  poll_directories();
  poll_unreadable();
}

void WorktreeTree::poll_directories() {
  if (polled() == 0) return;
  const Timestamp now = setup_.fs.now();
  watches_.begin_polling();
  while (DirectoryNode* node = watches_.next_polled()) poll_directory(*node, now);
}

void WorktreeTree::poll_directory(DirectoryNode& node, Timestamp now) {
  std::string path = node.path();
  if (node.parent) {
    path.pop_back();
    const Result<FileStat> stat = setup_.fs.stat_at(watches_.root(), path);
    const bool same = stat.ok() && stat->kind == FileKind::kDirectory &&
                      node.was_read_from(*stat) && stat->mtime == node.mtime;
    if (!same) return look_anew(node);
  } else if (const Result<FileStat> stat = setup_.fs.stat_directory(watches_.root());
             stat.ok() && stat->mtime != node.mtime) {
    if (look_at_names(node, watches_.root())) node.note_stat(*stat, now);
    return;
  }
  if (node.submodule) return mark_submodule(node);
  if (!node.is_tracked()) return;
  // An edit in place leaves the directory's mtime: only lstat of each file tells.
  std::vector<std::string> names;
  for (const IndexEntry& entry : index_->entries_of(node.index_directory)) {
    if (entry.stage() <= 1 || names.empty() || names.back() != index_->name(entry)) {
      names.emplace_back(index_->name(entry));
    }
  }
  for (const std::string& name : names) look(node, name, false);
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
    const Result<Directory> opened = setup_.fs.open_directory_at(watches_.root(), path);
    if (!opened.ok() && opened.error().code != ErrorCode::kNotFound) {
      if (node->is_tracked()) refresh_below(node->index_directory);
      continue;
    }
    look_anew(*node);
  }
}

// A new link changes nothing that its file's other names are watched for. Those that the index or
// an earlier look know by the same inode are looked at; where neither knows, everything is.
void WorktreeTree::look_at_other_names() {
  const std::set<uint32_t> inodes = links_.take_new();
  if (inodes.empty()) return;
  std::vector<std::string> to_look;
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    const IndexEntry& entry = index_->entries()[i];
    if (entry.mode == kModeGitlink || entries_[i].is_absent()) continue;
    const auto seen = entries_.compared().find(i);
    const uint32_t inode = seen == entries_.compared().end()
                               ? entry.stat.inode
                               : static_cast<uint32_t>(seen->second.stat.inode);
    if (inode != 0 && entries_[i].is_clean() && !inodes.contains(inode)) continue;
    std::string path = index_->path(i);
    if (!links_.contains(path)) to_look.push_back(std::move(path));
  }
  for (const std::string& path : to_look) look_at(path);
  (void)links_.take_new();
}

void WorktreeTree::poll_linked() {
  look_at_other_names();
  if (settings_.unskip_present) {
    for (uint32_t directory : obstructed_) mark_missing(directory);
  }
  const std::vector<std::string> to_look = links_.changed(setup_.fs, watches_.root(), work_.lstats);
  if (links_.beyond() > 0) sweep(kMostLinkedFiles);
  for (const std::string& path : to_look) {
    if (!look_at(path)) links_.forget(path);
  }
}

}  // namespace resident
