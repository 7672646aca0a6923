#include "tree/tree_poller.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "object/tree.h"

namespace resident {

void TreePoller::prioritize(std::span<const std::string> paths) {
  for (const std::string& path : paths.first(std::min(paths.size(), RecentPlaces::kMaxNamed))) {
    state_.recent.add(path.substr(0, path.rfind('/') + 1));
  }
}

bool TreePoller::poll(PollScope scope, const ScanControl& control) {
  if (!poll_directories(scope, control)) return false;
  if (scope == PollScope::kEverything) poll_unreadable();
  return true;
}

bool TreePoller::poll_directories(PollScope scope, const ScanControl& control) {
  if (state_.watches.polled() == 0 && state_.watches.changed().empty()) return true;
  TreeWatches::Nodes recent;
  for (const std::string& path : state_.recent.paths()) {
    if (DirectoryNode* node = state_.find_node(path)) recent.insert(node);
  }
  state_.watches.begin_polling(recent);
  Result<Directory> root = state_.setup.fs.open_directory(state_.setup.root);
  // The owner of the tree detects a missing root.
  if (!root.ok()) return true;
  const std::optional<TreeWatches::Nodes> to_poll = nodes_to_poll(scope, recent, *root, control);
  if (!to_poll) return false;
  if (to_poll->empty()) return true;
  TreeWatches::Nodes above;
  for (DirectoryNode* node : *to_poll) {
    if (node->submodule) state_.mark_submodule(*node);
    for (DirectoryNode* up = node->parent; up && above.insert(up).second;) up = up->parent;
  }
  std::vector<EntryState> states(state_.entries.size());
  ScanContext context = state_.scan_context();
  context.states = states;
  context.watcher = nullptr;
  context.threads = state_.setup.threads;
  context.cancelled = control.cancelled;
  context.tick = control.tick;
  const auto part = [&](const DirectoryNode& node) {
    if (to_poll->contains(&node)) return TreePart::kHere;
    return above.contains(&node) ? TreePart::kBelow : TreePart::kNone;
  };
  // Polled directories count as watched, because this poll replaces their watch.
  const auto is_watched = [](const DirectoryNode&) { return true; };
  Verified verified =
      verify_tree({context, is_watched, SIZE_MAX, part}, *state_.top, std::move(root).value());
  if (verified.given_up) return false;
  state_.watches.end_polling();
  // Changes are applied without their names.
  state_.record_in_journal("");
  apply_polled(std::move(verified), states);
  return true;
}

// nullopt: cancelled.
std::optional<TreeWatches::Nodes> TreePoller::nodes_to_poll(PollScope scope,
                                                            const TreeWatches::Nodes& recent,
                                                            const Directory& root,
                                                            const ScanControl& control) {
  if (scope == PollScope::kEverything) return state_.watches.all_to_poll();
  TreeWatches::Nodes nodes;
  if (scope == PollScope::kNames) {
    auto with_other_names = polled_with_other_names(root, control);
    if (!with_other_names) return std::nullopt;
    nodes = *std::move(with_other_names);
  }
  nodes.insert(state_.watches.changed().begin(), state_.watches.changed().end());
  nodes.insert(state_.watches.hinted().begin(), state_.watches.hinted().end());
  for (DirectoryNode* node : recent) {
    if (state_.watches.is_polled(*node)) nodes.insert(node);
  }
  return nodes;
}

// Directories whose own stat changed since they were read. Costs one stat each. nullopt: cancelled.
std::optional<TreeWatches::Nodes> TreePoller::polled_with_other_names(const Directory& root,
                                                                      const ScanControl& control) {
  // On a remote file system this takes some tenths of a second.
  constexpr size_t kStatsPerTick = 256;
  TreeWatches::Nodes found;
  size_t looked_at = 0;
  for (DirectoryNode* node : state_.watches.all_to_poll()) {
    if (looked_at++ % kStatsPerTick == 0 && control.tick) control.tick();
    if (control.cancelled && *control.cancelled) return std::nullopt;
    std::string path = node->path();
    if (!path.empty()) path.pop_back();
    ++state_.work.directories;
    const Result<FileStat> stat =
        path.empty() ? state_.setup.fs.stat_directory(root) : state_.setup.fs.stat_at(root, path);
    if (!stat.ok() || !node->is_as_read(*stat)) found.insert(node);
  }
  return found;
}

void TreePoller::apply_polled(Verified&& verified, std::span<const EntryState> states) {
  state_.adopt(std::move(verified.findings));
  for (const uint32_t position : state_.entries.merge(*state_.index, states)) {
    const std::string path = state_.index->path(position);
    state_.recent.add(path.substr(0, path.rfind('/') + 1));
  }
  // Their content matters, whatever their state.
  for (const uint32_t position : verified.destinations) state_.entries.touch(position);
  for (const SeenFile& file : verified.attribute_files) {
    const size_t name = file.path.rfind('/') + 1;
    DirectoryNode* const node = state_.find_node(file.path.substr(0, name));
    if (node) sweeper_.recheck_rules(*node, file.path.substr(name), file.stat, file.at);
  }
  for (const std::string& path : verified.stale) {
    state_.recent.add(path);
    sweeper_.visit_whole(path);
  }
}

void TreePoller::poll_unreadable() {
  for (const std::string& path : std::set<std::string>(state_.unseen)) {
    if (!rechecker_.recheck_path(path)) state_.unseen.erase(path);
  }
  const std::set<DirectoryNode*> nodes = state_.unreadable;
  for (DirectoryNode* node : nodes) {
    if (!state_.unreadable.contains(node)) continue;
    const Result<Directory> opened = state_.watches.open(*node);
    if (!opened.ok() && opened.error().code != ErrorCode::kNotFound) {
      if (node->is_tracked()) state_.refresh_below(node->index_directory);
      continue;
    }
    rechecker_.reread_directory(*node);
  }
}

// --- Hard links

void TreePoller::poll_linked() {
  recheck_linked_files();
  if (state_.settings.unskip_present) {
    for (uint32_t directory : state_.obstructed) state_.mark_missing(directory);
  }
  const std::vector<std::string> to_recheck =
      state_.links.changed(state_.setup.fs, state_.watches.root(), state_.work.lstats);
  if (state_.links.beyond() > 0) sweeper_.sweep(kMaxLinkedFiles);
  for (const std::string& path : to_recheck) {
    if (!rechecker_.recheck_path(path)) state_.links.forget(path);
  }
}

// A new hard link causes no event for the file's other names. Rechecks files whose inode, in the
// index or in a cached comparison, is the same. Also rechecks entries with an unknown inode.
void TreePoller::recheck_linked_files() {
  std::set<uint32_t> looked_for;
  // A recheck can find new links itself.
  for (;;) {
    std::set<uint32_t> inodes = state_.links.consume_new();
    std::erase_if(inodes, [&](uint32_t inode) { return looked_for.contains(inode); });
    if (inodes.empty()) return;
    recheck_links_of(inodes);
    looked_for.merge(inodes);
  }
}

void TreePoller::recheck_links_of(const std::set<uint32_t>& inodes) {
  std::vector<std::string> to_recheck;
  const Index& index = *state_.index;
  const ContentCache& compared = state_.entries.compared();
  for (uint32_t i = 0; i < state_.entries.size(); ++i) {
    const IndexEntry& entry = index.entries()[i];
    if (entry.mode == kModeGitlink || state_.entries[i].is_absent()) continue;
    const auto seen = compared.find(i);
    const uint32_t inode =
        seen == compared.end() ? entry.stat.inode : static_cast<uint32_t>(seen->second.stat.inode);
    if (inode != 0 && state_.entries[i].is_clean() && !inodes.contains(inode)) continue;
    std::string path = index.path(i);
    if (!state_.links.contains(path)) to_recheck.push_back(std::move(path));
  }
  for (const std::string& path : to_recheck) rechecker_.recheck_path(path);
}

}  // namespace resident
