// The part of WorktreeTree that looks without an event: at what no watch tells of.
#include <algorithm>

#include "object/tree.h"
#include "status/verify.h"
#include "tree/worktree_tree.h"

namespace resident {

bool WorktreeTree::root_is_there() const {
  Result<FileStat> now = setup_.fs.stat(setup_.root);
  return now.ok() && now->device == top_->device && now->inode == top_->inode;
}

// Every name that is in it or was, but .git. False: it could not be listed.
bool WorktreeTree::recheck_names(DirectoryNode& node, const Directory& directory, bool arrived) {
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

void WorktreeTree::prioritize(std::span<const std::string> paths) {
  for (const std::string& path : paths.first(std::min(paths.size(), RecentPlaces::kMaxNamed))) {
    recent_.note(path.substr(0, path.rfind('/') + 1));
  }
}

bool WorktreeTree::poll(PollScope scope, const ScanControl& control) {
  if (!poll_directories(scope, control)) return false;
  if (scope == PollScope::kEverything) poll_unreadable();
  return true;
}

// Those whose own stat says that they are not as they were read. One stat for each. nullopt:
// cancelled.
std::optional<TreeWatches::Nodes> WorktreeTree::polled_with_other_names(
    const Directory& root, const ScanControl& control) {
  // On a file system that asks another host, some tenths of a second.
  constexpr size_t kStatsPerTick = 256;
  TreeWatches::Nodes found;
  size_t looked_at = 0;
  for (DirectoryNode* node : watches_.all_to_poll()) {
    if (looked_at++ % kStatsPerTick == 0 && control.tick) control.tick();
    if (control.cancelled && *control.cancelled) return std::nullopt;
    std::string path = node->path();
    if (!path.empty()) path.pop_back();
    ++work_.directories;
    const Result<FileStat> stat =
        path.empty() ? setup_.fs.stat_directory(root) : setup_.fs.stat_at(root, path);
    if (!stat.ok() || !node->is_as_read(*stat)) found.insert(node);
  }
  return found;
}

// First all is looked at and nothing is touched (verify_tree), then what was found is taken in.
bool WorktreeTree::poll_directories(PollScope scope, const ScanControl& control) {
  if (polled() == 0 && watches_.changed().empty()) return true;
  TreeWatches::Nodes recent;
  for (const std::string& path : recent_.paths()) {
    if (DirectoryNode* node = find_node(path)) recent.insert(node);
  }
  watches_.begin_polling(recent);
  Result<Directory> root = setup_.fs.open_directory(setup_.root);
  // That it is gone is told by who looks for it.
  if (!root.ok()) return true;
  TreeWatches::Nodes to_look;
  if (scope == PollScope::kEverything) {
    to_look = watches_.all_to_poll();
  } else {
    if (scope == PollScope::kNames) {
      auto with_other_names = polled_with_other_names(*root, control);
      if (!with_other_names) return false;
      to_look = *std::move(with_other_names);
    }
    to_look.insert(watches_.changed().begin(), watches_.changed().end());
    to_look.insert(watches_.hinted().begin(), watches_.hinted().end());
    for (DirectoryNode* node : recent) {
      if (watches_.is_polled(*node)) to_look.insert(node);
    }
  }
  TreeWatches::Nodes above;
  for (DirectoryNode* node : to_look) {
    if (node->submodule) mark_submodule(*node);
    for (DirectoryNode* up = node->parent; up && above.insert(up).second;) up = up->parent;
  }
  if (to_look.empty()) return true;
  std::vector<EntryState> states(entries_.size());
  ScanContext context = scan_context();
  context.states = states;
  context.watcher = nullptr;
  context.threads = setup_.threads;
  context.cancelled = control.cancelled;
  context.tick = control.tick;
  const auto part = [&](const DirectoryNode& node) {
    if (to_look.contains(&node)) return TreePart::kHere;
    return above.contains(&node) ? TreePart::kBelow : TreePart::kNone;
  };
  // What a watch would have told of a polled directory is what is found here.
  const auto is_watched = [](const DirectoryNode&) { return true; };
  Verified verified =
      verify_tree({context, is_watched, SIZE_MAX, part}, *top_, std::move(root).value());
  if (verified.given_up) return false;
  watches_.end_polling();
  // What differs is taken over without a name.
  note("");
  apply_polled(std::move(verified), states);
  return true;
}

void WorktreeTree::apply_polled(Verified&& verified, std::span<const EntryState> states) {
  adopt(std::move(verified.findings));
  for (const uint32_t position : entries_.merge(*index_, states)) {
    const std::string path = index_->path(position);
    recent_.note(path.substr(0, path.rfind('/') + 1));
  }
  // What is in them decides, whatever their state.
  for (const uint32_t position : verified.destinations) entries_.touch(position);
  for (const SeenFile& file : verified.attribute_files) {
    const size_t name = file.path.rfind('/') + 1;
    DirectoryNode* const node = find_node(file.path.substr(0, name));
    if (node) visit_rules(*node, file.path.substr(name), file.stat, file.at);
  }
  for (const std::string& path : verified.stale) {
    recent_.note(path);
    recheck_now(path);
  }
}

bool WorktreeTree::has_untold() const {
  const bool all = setup_.watcher && !setup_.watcher->tells_of_subdirectories();
  return std::any_of(unreadable_.begin(), unreadable_.end(), [all](const DirectoryNode* node) {
    return all || node->is_tracked() || node->submodule;
  });
}

void WorktreeTree::poll_unreadable() {
  for (const std::string& path : std::set<std::string>(unseen_)) {
    if (!recheck(path)) unseen_.erase(path);
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
    reread_directory(*node);
  }
}

// A new link changes nothing that its file's other names are watched for. Those that the index or
// an earlier look know by the same inode are looked at; where neither knows, everything is.
void WorktreeTree::recheck_linked_files() {
  std::set<uint32_t> looked_for;
  // What is looked at can be new itself.
  for (;;) {
    std::set<uint32_t> inodes = links_.consume_new();
    std::erase_if(inodes, [&](uint32_t inode) { return looked_for.contains(inode); });
    if (inodes.empty()) return;
    recheck_links_of(inodes);
    looked_for.merge(inodes);
  }
}

void WorktreeTree::recheck_links_of(const std::set<uint32_t>& inodes) {
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
  for (const std::string& path : to_look) recheck(path);
}

void WorktreeTree::poll_linked() {
  recheck_linked_files();
  if (settings_.unskip_present) {
    for (uint32_t directory : obstructed_) mark_missing(directory);
  }
  const std::vector<std::string> to_look = links_.changed(setup_.fs, watches_.root(), work_.lstats);
  if (links_.beyond() > 0) sweep(kMaxLinkedFiles);
  for (const std::string& path : to_look) {
    if (!recheck(path)) links_.forget(path);
  }
}

}  // namespace resident
