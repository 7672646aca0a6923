#include "model/worktree_tree.h"

#include <climits>

#include "object/tree.h"
#include "repository/nested_repository.h"
#include "status/absent.h"
#include "status/tracked_rows.h"

namespace resident {

namespace {

// Untracked paths that `node` itself contributes, one by one.
template <typename Visit>
void for_each_untracked(const DirectoryNode& node, Visit&& visit) {
  if (node.submodule) return;
  if (node.nested_repository()) return visit(node.path());
  std::string path;
  for (const Other& other : node.others()) {
    if (other.kind != OtherKind::kFile) continue;
    if (path.empty()) path = node.path();
    visit(path + other.name);
  }
}

}  // namespace

RefreshContext WorktreeTree::refresh_context() {
  return {setup_.fs, setup_.root, *index_, settings_, setup_.content, content_cache_};
}

ScanContext WorktreeTree::scan_context() {
  return ScanContext{
      refresh_context(),
      states_,
      rules_,
      folded_.get(),
      setup_.watcher,
      setup_.git_dir,
      [this](uint32_t position) { return setup_.read_index_blob(*index_, position); },
      1,
      nullptr,
      nullptr,
      nullptr,
      setup_.limit,
      top_ && top_->submodule,
  };
}

Result<void> WorktreeTree::scan(std::shared_ptr<const Index> index, const ExcludeRules& rules,
                                const WorktreeSettings& settings, const ScanControl& control) {
  RESIDENT_TRY(Directory root, setup_.fs.open_directory(setup_.root));
  // Do not reuse comparisons: attributes may have changed.
  const ContentCache empty;
  std::vector<EntryState> states(index->entries().size());
  auto top = std::make_unique<DirectoryNode>();
  top->index_directory = control.watch_only ? kNoDirectory : 0;
  top->submodule = control.watch_only;
  auto folded = settings.ignore_case ? std::make_shared<const FoldedIndex>(index) : nullptr;
  ScanContext context{
      {setup_.fs, setup_.root, *index, settings, setup_.content, empty},
      states,
      rules,
      folded.get(),
      setup_.watcher,
      setup_.git_dir,
      [&](uint32_t position) { return setup_.read_index_blob(*index, position); },
      setup_.threads,
      control.files_seen,
      control.cancelled,
      control.tick,
      setup_.limit,
      control.watch_only,
      setup_.untracked,
      setup_.once,
  };
  RESIDENT_TRY(Directory reading, setup_.fs.open_directory(setup_.root));
  ScanFindings findings = scan_subtree(context, *top, std::move(reading));
  if (control.cancelled && control.cancelled->load()) {
    // New directories got watches that nothing refers to.
    for (auto [id, node] : findings.watched) {
      if (!nodes_by_watch_.contains(id)) setup_.watcher->remove(id);
    }
    return Error{ErrorCode::kCancelled, setup_.root + ": the scan was cancelled"};
  }

  const auto old_watches = std::exchange(nodes_by_watch_, {});
  const std::set<std::string> old_untracked = std::exchange(untracked_, {});
  const bool same_index = index_ == index;
  const std::vector<EntryState> old_states = std::exchange(states_, std::move(states));
  for (uint32_t i = 0; i < states_.size(); ++i) {
    if (!states_[i].is_known()) states_[i] = state_in({index_.get(), old_states}, *index, i);
  }
  index_ = std::move(index);
  folded_ = std::move(folded);
  rules_ = rules;
  settings_ = settings;
  content_cache_.clear();
  linked_.clear();
  linked_beyond_ = 0;
  restart_sweep();
  unwatched_.clear();
  unreadable_.clear();
  unseen_.clear();
  untold_.clear();
  tells_all_.clear();
  sparse_present_.clear();
  obstructed_.clear();
  const auto old_dot_gits = std::exchange(with_dot_git_, {});
  top_ = std::move(top);
  root_ = std::move(root);
  const std::vector<DirectoryNode*> with_others = std::move(findings.with_others);
  adopt(std::move(findings));
  for (auto [id, node] : old_watches) {
    if (!nodes_by_watch_.contains(id)) setup_.watcher->remove(id);
  }
  for (const auto& [node, watch] : old_dot_gits) forget_dot_git_watch(watch);
  collect_changed();
  for (const DirectoryNode* node : with_others) {
    for_each_untracked(*node, [&](std::string path) { untracked_.insert(std::move(path)); });
  }
  for (const std::string& path : old_untracked) {
    if (!untracked_.contains(path)) touched_.untracked.emplace(path, true);
  }
  for (const std::string& path : untracked_) {
    if (!old_untracked.contains(path)) touched_.untracked.emplace(path, false);
  }
  for (uint32_t i = 0; same_index && i < states_.size(); ++i) {
    if (!(states_[i] == old_states[i])) touched_.entries.insert(i);
  }
  touched_.ignore_rules = true;
  touch_submodules();
  return {};
}

void WorktreeTree::adopt(ScanFindings&& findings) {
  for (auto& [position, look] : findings.compared) content_cache_.insert_or_assign(position, look);
  for (auto [id, node] : findings.watched) take_watch(id, *node);
  unwatched_.insert(findings.unwatched.begin(), findings.unwatched.end());
  unreadable_.insert(findings.unreadable.begin(), findings.unreadable.end());
  sparse_present_.insert(findings.sparse.begin(), findings.sparse.end());
  obstructed_.insert(findings.obstructed.begin(), findings.obstructed.end());
  std::move(findings.problems.begin(), findings.problems.end(), std::back_inserter(problems_));
  for (LinkedFile& file : findings.linked) {
    note_links(file.path, file.stat, file.at);
  }
  linked_beyond_ += findings.more_linked;
  work_.directories += findings.directories;
  work_.lstats += findings.lstats;
  work_.contents_read += findings.contents_read;
  if (top_) {
    for (auto [id, node] : findings.watched) {
      if (node->has_dot_git) note_dot_git(*node);
    }
    for (DirectoryNode* node : findings.unwatched) {
      if (node->has_dot_git) note_dot_git(*node);
    }
  }
}

void WorktreeTree::take_watch(WatchId watch, DirectoryNode& node) {
  DirectoryNode*& owner = nodes_by_watch_[watch];
  if (owner && owner != &node && stands(*owner)) {
    // By a mount two paths lead to one directory.
    node.watch = kNoWatch;
    untold_.insert(&node);
    return;
  }
  owner = &node;
  if (!tells_everything(node)) untold_.insert(&node);
}

bool WorktreeTree::tells_everything(const DirectoryNode& node) {
  const auto [known, is_new] = tells_all_.try_emplace(node.device, true);
  if (is_new) {
    Result<Directory> directory = open(node);
    known->second = directory.ok() && setup_.watcher->tells_everything(*directory);
  }
  return known->second;
}

Result<Directory> WorktreeTree::open(const DirectoryNode& node) const {
  if (!node.parent) return setup_.fs.open_directory(setup_.root);
  const std::string path = node.path();
  return setup_.fs.open_directory_at(root_, std::string_view(path).substr(0, path.size() - 1));
}

void WorktreeTree::collect_changed() {
  changed_.clear();
  for (uint32_t i = 0; i < states_.size(); ++i) {
    if (!states_[i].is_clean()) changed_.insert(changed_.end(), i);
  }
}

void WorktreeTree::count_untracked(DirectoryNode& top, bool listed) {
  for_each_node(top, [&](DirectoryNode& node) {
    for_each_untracked(node, [&](const std::string& path) { set_untracked(path, listed); });
  });
}

// Of an entry of which it is pending what it is: the state that it had, by its path, or none yet.
EntryState WorktreeTree::state_in(const Before& before, const Index& index, uint32_t position) {
  if (!before.index) return EntryState::clean();
  const auto known = before.index == &index ? std::optional(position)
                                            : before.index->find_path(index.path(position));
  const bool was_known = known && before.states[*known].is_known();
  return was_known ? before.states[*known] : EntryState::clean();
}

// Reads an attached node and what is below it.
void WorktreeTree::read_subtree(DirectoryNode& node) {
  if (node.is_tracked()) {
    // Where something else stands in a directory's place is found again.
    const uint32_t end = index_->directories()[node.index_directory].subtree_end;
    obstructed_.erase(obstructed_.lower_bound(node.index_directory), obstructed_.lower_bound(end));
  }
  Result<Directory> directory = open(node);
  if (!directory.ok()) {
    const bool is_there = directory.error().code != ErrorCode::kNotFound;
    node.set_readable(false);
    if (node.is_tracked()) refresh_below(node.index_directory);
    if (node.parent && (node.is_tracked() || (node.submodule && is_there)))
      unreadable_.insert(&node);
    if (is_there) problems_.push_back(directory.error().message);
    return;
  }
  const auto [first, last] = node.is_tracked() ? index_->subtree_entries(node.index_directory)
                                               : std::pair<uint32_t, uint32_t>{};
  const std::vector<EntryState> before(states_.begin() + first, states_.begin() + last);
  adopt(scan_subtree(scan_context(), node, std::move(directory).value()));
  for (uint32_t i = first; i < last; ++i) {
    const EntryState now = std::exchange(states_[i], before[i - first]);
    if (now.is_known()) set_state(i, now);
  }
  count_untracked(node, true);
  for_each_node(node,
                [this](DirectoryNode& below) { touched_.attributes |= has_attributes(below); });
}

// Its coming or going changes what is made of the files around it.
bool WorktreeTree::has_attributes(DirectoryNode& node) const {
  if (node.submodule || node.nested_repository()) return false;
  constexpr std::string_view kName = ".gitattributes";
  return node.find_other(kName) ||
         (node.is_tracked() && index_->find_entry(node.index_directory, kName));
}

// Takes a child and everything below it out. The entries below are absent until something else is
// found.
void WorktreeTree::drop(DirectoryNode& parent, std::string_view name) {
  std::unique_ptr<DirectoryNode> child = parent.remove_child(name);
  if (!child) return;
  child->parent = &parent;
  count_untracked(*child, false);
  for_each_node(*child, [&](DirectoryNode& node) {
    auto known = nodes_by_watch_.find(node.watch);
    // A directory that was moved has the same watch under its new node already.
    if (known != nodes_by_watch_.end() && known->second == &node) {
      setup_.watcher->remove(node.watch);
      nodes_by_watch_.erase(known);
    }
    unwatched_.erase(&node);
    unreadable_.erase(&node);
    untold_.erase(&node);
    to_poll_.erase(&node);
    if (auto dot_git = with_dot_git_.extract(&node)) forget_dot_git_watch(dot_git.mapped());
    touched_.attributes |= has_attributes(node);
  });
  if (child->is_tracked()) mark_missing(child->index_directory);
}

void WorktreeTree::mark_missing(uint32_t index_directory) {
  const RefreshContext context = refresh_context();
  const MissingDirectory missing(context, index_directory);
  const auto [first, last] = index_->subtree_entries(index_directory);
  for (uint32_t i = first; i < last; ++i) set_state(i, missing.state_of(i));
  if (!missing.is_linked()) return;
  const auto sparse = index_->sparse_directories_in(index_directory);
  sparse_present_.insert(sparse.begin(), sparse.end());
}

void WorktreeTree::set_state(uint32_t position, EntryState state) {
  if (setup_.content.has_pending()) setup_.content.forget_pending(index_->path(position));
  if (states_[position] == state) return;
  states_[position] = state;
  touched_.entries.insert(position);
  if (index_->entries()[position].is_gitlink()) touched_.submodules.insert(position);
  if (state.is_clean()) {
    changed_.erase(position);
  } else {
    changed_.insert(position);
  }
}

void WorktreeTree::set_untracked(const std::string& path, bool listed) {
  if (listed ? untracked_.insert(path).second : untracked_.erase(path) > 0) {
    touched_.untracked.emplace(path, !listed);
  }
}

void WorktreeTree::refresh(std::string_view path, uint32_t position,
                           const std::optional<FileStat>& stat) {
  const RefreshContext context = refresh_context();
  for (const uint32_t end = index_->end_of_path(position); position < end; ++position) {
    take(position, refresh_entry(context, position, {root_, path}, stat));
    if (is_rename_destination(index_->entries()[position])) touched_.entries.insert(position);
  }
}

// By lstat of each entry, for directories that cannot be read.
void WorktreeTree::refresh_below(uint32_t index_directory) {
  const RefreshContext context = refresh_context();
  const auto [first, last] = index_->subtree_entries(index_directory);
  for (uint32_t next = first; next < last;) {
    const uint32_t position = std::exchange(next, index_->end_of_path(next));
    const std::string path = index_->path(position);
    const Examined examined = examine_path(
        context, position, next, {root_, path}, Listed::kUnknown,
        [this](uint32_t stage, const Refreshed& refreshed) { take(stage, refreshed); });
    work_.lstats += examined.lstat;
  }
}

void WorktreeTree::take(uint32_t position, const Refreshed& refreshed) {
  if (refreshed.compared) {
    ++work_.contents_read;
    content_cache_.insert_or_assign(position, *refreshed.compared);
  }
  if (refreshed.problem) problems_.push_back(refreshed.problem->message);
  if (refreshed.state.is_known()) {
    set_state(position, refreshed.state);
  } else if (before_rebinding_) {
    states_[position] = state_in(*before_rebinding_, *index_, position);
    changed_.erase(position);
    if (!states_[position].is_clean()) changed_.insert(position);
  }
}

void WorktreeTree::forget_looks() {
  const ContentCache known = std::exchange(content_cache_, {});
  for (const auto& [position, known_look] : known) {
    look_at(index_->path(position));
  }
}

// `path` is "" or ends in '/'; null where no such directory is known.
DirectoryNode* WorktreeTree::find_node(std::string_view path) const {
  DirectoryNode* node = top_.get();
  while (node && !path.empty()) {
    const size_t slash = path.find('/');
    node = node->find_child(path.substr(0, slash));
    path.remove_prefix(slash + 1);
  }
  return node;
}

}  // namespace resident
