#include "model/worktree_tree.h"

#include <climits>

#include "object/tree.h"
#include "worktree/nested_repository.h"

namespace resident {

namespace {

constexpr std::string_view kGitattributes = ".gitattributes";

// Whether what was found about an entry can be another thing under the new index, though the entry
// is the same: the racily clean rule compares it with the time of the index file.
bool depends_on_index_time(const IndexEntry& entry, const Index& old, const Index& now,
                           const Looks& looks) {
  const int64_t before = old.mtime().seconds;
  const int64_t after = now.mtime().seconds;
  if (before == after) return false;
  return looks.contains(old.position(entry)) ||
         (after < before && static_cast<int64_t>(entry.stat.mtime_seconds) >= after);
}

// Untracked paths that `node` itself contributes, one by one.
template <typename Visit>
void for_each_untracked(const DirectoryNode& node, Visit&& visit) {
  if (node.submodule) return;
  if (node.nested_repository) return visit(node.path());
  std::string path;
  for (const Other& other : node.others) {
    if (other.kind != OtherKind::kFile) continue;
    if (path.empty()) path = node.path();
    visit(path + other.name);
  }
}

}  // namespace

ScanContext WorktreeTree::scan_context() {
  return ScanContext{
      {setup_.fs, setup_.root, *index_, settings_, setup_.content, looks_},
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
  };
}

// --- Scans
// -------------------------------------------------------------------------------------------------------

Result<void> WorktreeTree::scan(std::shared_ptr<const Index> index, const ExcludeRules& rules,
                                const WorktreeSettings& settings, const ScanControl& control) {
  RESIDENT_TRY(Directory root, setup_.fs.open_directory(setup_.root));
  // Nothing is taken over: attributes can make another thing of a file that is as it was.
  const Looks known;
  std::vector<EntryState> states(index->entries().size());
  auto top = std::make_unique<DirectoryNode>();
  top->index_directory = control.watch_only ? kNoDirectory : 0;
  top->submodule = control.watch_only;
  auto folded = settings.ignore_case ? std::make_shared<const FoldedIndex>(index) : nullptr;
  ScanContext context{
      {setup_.fs, setup_.root, *index, settings, setup_.content, known},
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
  index_ = std::move(index);
  folded_ = std::move(folded);
  rules_ = rules;
  settings_ = settings;
  looks_.clear();
  linked_.clear();
  unwatched_.clear();
  sparse_present_.clear();
  obstructed_.clear();
  const auto old_dot_gits = std::exchange(with_dot_git_, {});
  top_ = std::move(top);
  root_ = std::move(root);
  adopt(std::move(findings));
  for (auto [id, node] : old_watches) {
    if (!nodes_by_watch_.contains(id)) setup_.watcher->remove(id);
  }
  for (const auto& [node, watch] : old_dot_gits) forget_dot_git_watch(watch);
  collect_changed();
  for_each_node(*top_, [&](DirectoryNode& node) {
    for_each_untracked(node, [&](std::string path) { untracked_.insert(std::move(path)); });
  });
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
  for (uint32_t i = 0; i < states_.size(); ++i) {
    if (index_->entries()[i].mode == kModeGitlink) touched_.submodules.insert(i);
  }
  return {};
}

void WorktreeTree::adopt(ScanFindings&& findings) {
  for (auto& [position, look] : findings.looks) looks_.insert_or_assign(position, look);
  for (auto [id, node] : findings.watched) nodes_by_watch_[id] = node;
  unwatched_.insert(findings.unwatched.begin(), findings.unwatched.end());
  sparse_present_.insert(findings.sparse.begin(), findings.sparse.end());
  obstructed_.insert(findings.obstructed.begin(), findings.obstructed.end());
  std::move(findings.problems.begin(), findings.problems.end(), std::back_inserter(problems_));
  for (std::string& path : findings.linked) linked_.emplace(std::move(path), Linked{});
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

// Reads an attached node and what is below it.
void WorktreeTree::read_subtree(DirectoryNode& node) {
  Result<Directory> directory =
      node.parent
          ? setup_.fs.open_directory_at(root_, node.path().substr(0, node.path().size() - 1))
          : setup_.fs.open_directory(setup_.root);
  if (!directory.ok()) {
    node.readable = false;
    if (node.is_tracked()) refresh_below(node.index_directory);
    if (directory.error().code != ErrorCode::kNotFound)
      problems_.push_back(directory.error().message);
    return;
  }
  const auto [first, last] = node.is_tracked() ? index_->subtree_entries(node.index_directory)
                                               : std::pair<uint32_t, uint32_t>{};
  const std::vector<EntryState> before(states_.begin() + first, states_.begin() + last);
  adopt(scan_subtree(scan_context(), node, std::move(directory).value()));
  for (uint32_t i = first; i < last; ++i) {
    const EntryState now = std::exchange(states_[i], before[i - first]);
    set_state(i, now);
  }
  count_untracked(node, true);
  for_each_node(node,
                [this](DirectoryNode& below) { touched_.attributes |= has_attributes(below); });
}

// Its coming or going changes what is made of the files around it.
bool WorktreeTree::has_attributes(DirectoryNode& node) const {
  if (node.submodule || node.nested_repository) return false;
  return node.find_other(kGitattributes) ||
         (node.is_tracked() && index_->find_entry(node.index_directory, kGitattributes));
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
    if (auto dot_git = with_dot_git_.extract(&node)) forget_dot_git_watch(dot_git.mapped());
    touched_.attributes |= has_attributes(node);
  });
  if (child->is_tracked()) mark_missing(child->index_directory);
}

void WorktreeTree::mark_missing(uint32_t index_directory) {
  const RefreshContext context{setup_.fs, setup_.root, *index_, settings_, setup_.content, looks_};
  const MissingDirectory missing(context, index_directory);
  const auto [first, last] = index_->subtree_entries(index_directory);
  for (uint32_t i = first; i < last; ++i) set_state(i, missing.state_of(i));
  if (!missing.is_linked()) return;
  const uint32_t end = index_->directories()[index_directory].subtree_end;
  for (uint32_t directory : index_->sparse_directories()) {
    if (directory >= index_directory && directory < end) sparse_present_.insert(directory);
  }
}

// --- States
// ------------------------------------------------------------------------------------------------------

void WorktreeTree::set_state(uint32_t position, EntryState state) {
  if (states_[position] == state) return;
  states_[position] = state;
  touched_.entries.insert(position);
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

void WorktreeTree::refresh(DirectoryNode& node, std::string_view name, uint32_t position,
                           const std::optional<FileStat>& stat) {
  const std::string path = node.path_of(name);
  const RefreshContext context{setup_.fs, setup_.root, *index_, settings_, setup_.content, looks_};
  // All stages of the path.
  const auto entries = index_->entries_of(node.index_directory);
  const uint32_t end = index_->position(entries.front()) + static_cast<uint32_t>(entries.size());
  for (; position < end && index_->name(index_->entries()[position]) == name; ++position) {
    Refreshed refreshed = refresh_entry(context, position, {root_, path, path}, stat);
    if (refreshed.look) {
      ++work_.contents_read;
      looks_.insert_or_assign(position, *refreshed.look);
    }
    if (refreshed.problem) problems_.push_back(refreshed.problem->message);
    set_state(position, refreshed.state);
    // Its content decides whether it is a rename's destination.
    const IndexEntry& entry = index_->entries()[position];
    if (entry.intent_to_add() || entry.stage() == 2) touched_.entries.insert(position);
  }
}

// By lstat of each entry, for directories that cannot be read.
void WorktreeTree::refresh_below(uint32_t index_directory) {
  const RefreshContext context{setup_.fs, setup_.root, *index_, settings_, setup_.content, looks_};
  auto [first, last] = index_->subtree_entries(index_directory);
  for (uint32_t i = first; i < last; ++i) {
    const std::string path = index_->path(i);
    ++work_.lstats;
    Result<FileStat> stat = setup_.fs.stat_at(root_, path);
    if (stat.ok()) {
      set_state(i, refresh_entry(context, i, {root_, path, path}, *stat).state);
    } else if (stat.error().code == ErrorCode::kNotFound) {
      set_state(i, missing_state(index_->entries()[i]));
    } else {
      set_state(i, unseen_state(index_->entries()[i]));
    }
  }
}

void WorktreeTree::forget_looks() {
  const Looks known = std::exchange(looks_, {});
  for (const auto& [position, known_look] : known) {
    const std::string path = index_->path(position);
    const std::string_view name = index_->name(index_->entries()[position]);
    const std::string_view directory(path.data(), path.size() - name.size());
    if (DirectoryNode* node = find_node(directory)) look(*node, name, false);
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

void WorktreeTree::note_links(const std::string& path, const std::optional<FileStat>& stat) {
  if (stat && stat->kind == FileKind::kRegular && stat->links > 1) {
    linked_.insert_or_assign(path, Linked{*stat, setup_.fs.now()});
  } else {
    linked_.erase(path);
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
    const auto seen = looks_.find(i);
    const uint32_t inode =
        seen == looks_.end() ? entry.stat.inode : static_cast<uint32_t>(seen->second.stat.inode);
    if (inode != 0 && states_[i].is_clean() && !inodes.contains(inode)) continue;
    std::string path = index_->path(i);
    if (!linked_.contains(path)) to_look.push_back(std::move(path));
  }
  for (const std::string& path : to_look) {
    const size_t name = path.rfind('/') + 1;
    if (DirectoryNode* node = find_node(std::string_view(path).substr(0, name))) {
      look(*node, std::string_view(path).substr(name), false);
    }
  }
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
    const bool same = stat.ok() && *stat == known.stat && stat->mtime < known.at;
    if (!same) to_look.push_back(path);
  }
  for (const std::string& path : to_look) {
    const size_t name = path.rfind('/') + 1;
    DirectoryNode* node = find_node(std::string_view(path).substr(0, name));
    if (node) {
      look(*node, std::string_view(path).substr(name), false);
    } else {
      linked_.erase(path);
    }
  }
}

// --- Events
// ------------------------------------------------------------------------------------------------------

void WorktreeTree::apply(const Batch& batch) {
  for (const auto& [watch, marks] : batch.directories) {
    for (const auto& [name, mark] : marks) {
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
}

void WorktreeTree::look_at_self(DirectoryNode& node) {
  if (!node.parent) return;
  Result<Directory> directory = setup_.fs.open_directory_at(
      root_, std::string_view(node.path()).substr(0, node.path().size() - 1));
  // Gone or replaced: its parent's own event says so.
  const bool readable = directory.ok() || directory.error().code == ErrorCode::kNotFound;
  if (readable == node.readable) return;
  DirectoryNode& parent = *node.parent;
  const std::string name = node.name;
  look(parent, name, true);
}

// Every name that is in it or was. For the root, which no parent can read anew.
void WorktreeTree::look_at_names(DirectoryNode& node) {
  std::set<std::string> names;
  for (const auto& child : node.children) names.insert(child->name);
  for (const Other& other : node.others) names.insert(other.name);
  if (node.is_tracked()) {
    for (const IndexEntry& entry : index_->entries_of(node.index_directory)) {
      names.emplace(index_->name(entry));
    }
  }
  DirectoryListing listing;
  if (setup_.fs.list(root_, listing).ok()) {
    for (size_t i = 0; i < listing.size(); ++i) names.emplace(listing[i].name);
  }
  for (const std::string& name : names) look(node, name, false);
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
    if (!node.parent || node.submodule) return;
    node.has_dot_git = true;
    note_dot_git(node);
    return recheck_nested();
  }
  if (is_dot_git(name, settings_.ignore_case)) return;
  if (node.nested_repository) return;

  const std::string path = node.path_of(name);
  ++work_.lstats;
  Result<FileStat> looked = setup_.fs.stat_at(root_, path);
  if (!looked.ok() && looked.error().code != ErrorCode::kNotFound) {
    problems_.push_back(looked.error().message);
    return note_unseen(node, name);
  }
  std::optional<FileStat> stat;
  if (looked.ok()) stat = *looked;

  const bool is_directory = stat && stat->kind == FileKind::kDirectory;
  if (!is_directory) drop(node, name);
  if (is_directory) {
    enter_directory(node, name, arrived, *stat);
  } else if (!node.submodule) {
    auto position =
        node.is_tracked() ? index_->find_entry(node.index_directory, name) : std::nullopt;
    std::optional<OtherKind> kind;
    if (stat && !position && !(folded_ && folded_->has_entry(path))) {
      kind = stat->kind == FileKind::kOther            ? OtherKind::kSpecial
             : rules_.ignores(node, path, name, false) ? OtherKind::kIgnoredFile
                                                       : OtherKind::kFile;
    }
    node.set_other(name, kind ? &*kind : nullptr);
    set_untracked(path, kind == OtherKind::kFile);
    if (position) refresh(node, name, *position, stat);
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
    if (stat && stat->kind == FileKind::kRegular && stat->links > 1 && !linked_.contains(path)) {
      new_links_.insert(static_cast<uint32_t>(stat->inode));
    }
    if (position || name == ".gitignore" || name == ".gitattributes") note_links(path, stat);
  }
  if (node.submodule) return;
  if (name == ".gitignore") reload_patterns(node);
  if (name == kGitattributes) touched_.attributes = true;
}

// What stands at `name` cannot be told.
void WorktreeTree::note_unseen(DirectoryNode& node, std::string_view name) {
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
  const bool ignored = !node.submodule && rules_.ignores(node, path, name, true);
  auto position = node.is_tracked() ? index_->find_entry(node.index_directory, name) : std::nullopt;
  const bool gitlink = position && index_->entries()[*position].mode == kModeGitlink;
  std::optional<uint32_t> below;
  if (node.is_tracked() && !gitlink) below = index_->find_child(node.index_directory, name);
  const bool other_spelling = folded_ && !node.submodule && !gitlink && !below;
  const bool folded = other_spelling && folded_->has_directory(path);
  const bool folded_gitlink = other_spelling && !folded && folded_->has_gitlink(path);
  const bool submodule = node.submodule || gitlink || folded_gitlink;

  if (position) refresh(node, name, *position, stat);
  if (gitlink) touched_.submodules.insert(*position);
  set_untracked(path, false);

  if (ignored && !below && !gitlink && !folded && !folded_gitlink) {
    drop(node, name);
    const OtherKind kind = OtherKind::kIgnoredDirectory;
    node.set_other(name, &kind);
    return;
  }
  node.set_other(name, nullptr);
  if (DirectoryNode* known = node.find_child(name)) {
    const bool same = known->device == stat.device && known->inode == stat.inode &&
                      known->submodule == submodule && known->folded == folded &&
                      known->index_directory == below.value_or(kNoDirectory);
    if (same && !arrived && known->readable) return;
    drop(node, name);
  }
  auto child = std::make_unique<DirectoryNode>();
  child->name = name;
  child->submodule = submodule;
  child->folded = folded;
  child->index_directory = below.value_or(kNoDirectory);
  child->ignored = ignored && (below || folded);
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
    if (is_nested_repository(setup_.fs, path) == node->nested_repository) continue;
    DirectoryNode& parent = *node->parent;
    const std::string name = node->name;
    look(parent, name, true);
  }
}

void WorktreeTree::poll_unwatched() {
  const std::set<DirectoryNode*> nodes = unwatched_;
  const Timestamp now = nodes.empty() ? Timestamp{} : setup_.fs.now();
  for (DirectoryNode* node : nodes) {
    if (!unwatched_.contains(node)) continue;
    std::string path = node->path();
    if (node->parent) {
      path.pop_back();
      Result<FileStat> stat = setup_.fs.stat_at(root_, path);
      const bool same = stat.ok() && stat->kind == FileKind::kDirectory &&
                        stat->inode == node->inode && stat->mtime == node->mtime;
      if (!same) {
        DirectoryNode& parent = *node->parent;
        const std::string name = node->name;
        look(parent, name, true);
        continue;
      }
    } else if (Result<FileStat> stat = setup_.fs.stat_directory(root_);
               stat.ok() && stat->mtime != node->mtime) {
      look_at_names(*node);
      node->mtime = stat->mtime < now ? stat->mtime : Timestamp{};
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

bool WorktreeTree::root_is_there() const {
  Result<FileStat> now = setup_.fs.stat(setup_.root);
  return now.ok() && now->device == top_->device && now->inode == top_->inode;
}

// --- Ignore rules
// ------------------------------------------------------------------------------------------------

void WorktreeTree::set_rules(const ExcludeRules& rules) {
  rules_ = rules;
  touched_.ignore_rules = true;
  reignore(*top_);
}

void WorktreeTree::reload_patterns(DirectoryNode& node) {
  read_patterns(scan_context(), node, root_, node.path_of(".gitignore"));
  touched_.ignore_rules = true;
  reignore(node);
}

// Applies the rules anew to every name known below `node`. Only directories that are no longer
// ignored are read.
void WorktreeTree::reignore(DirectoryNode& node) {
  if (node.submodule || node.nested_repository) return;
  std::vector<std::string> to_read;
  const std::string base = node.path();
  for (Other& other : node.others) {
    if (other.kind == OtherKind::kSpecial) continue;
    const std::string path = base + other.name;
    const bool is_directory = other.kind == OtherKind::kIgnoredDirectory;
    const bool ignored = rules_.ignores(node, path, other.name, is_directory);
    if (is_directory) {
      if (!ignored) to_read.push_back(other.name);
    } else {
      other.kind = ignored ? OtherKind::kIgnoredFile : OtherKind::kFile;
      set_untracked(path, !ignored);
    }
  }
  for (auto& child : node.children) {
    if (child->submodule) continue;
    const bool ignored = rules_.ignores(node, base + child->name, child->name, true);
    if (child->holds_tracked()) {
      child->ignored = ignored;
    } else if (ignored) {
      to_read.push_back(child->name);
    }
  }
  for (const std::string& name : to_read) look(node, name, false);
  for (auto& child : node.children) reignore(*child);
}

bool WorktreeTree::is_ignored(std::string_view path, bool is_directory) const {
  const DirectoryNode* node = top_.get();
  for (size_t at = 0;;) {
    const size_t slash = path.find('/', at);
    const std::string_view name = path.substr(at, slash - at);
    const bool last = slash == std::string_view::npos;
    if (node->is_tracked() && last && index_->find_entry(node->index_directory, name)) return false;
    const bool tracked_directory =
        node->is_tracked() && index_->find_child(node->index_directory, name).has_value();
    if (!tracked_directory || last) {
      if (rules_.ignores(*node, path.substr(0, slash), name, !last || is_directory)) {
        return !tracked_directory;
      }
    }
    if (last) return false;
    const DirectoryNode* child = node->find_child(name);
    if (!child || child->submodule || child->nested_repository) return false;
    node = child;
    at = slash + 1;
  }
}

// --- A new index
// -------------------------------------------------------------------------------------------------

void WorktreeTree::rebind(std::shared_ptr<const Index> index) {
  const std::shared_ptr<const Index> old = std::exchange(index_, std::move(index));
  if (folded_) folded_ = std::make_shared<const FoldedIndex>(index_);
  const std::vector<EntryState> old_states =
      std::exchange(states_, std::vector<EntryState>(index_->entries().size()));
  const Looks old_looks = std::exchange(looks_, {});
  sparse_present_.clear();
  obstructed_.clear();
  // What nothing below says otherwise about is not on disk, if it can be there at all.
  for (uint32_t i = 0; i < states_.size(); ++i) states_[i] = missing_state(index_->entries()[i]);
  for (uint32_t directory = 0; directory < index_->directories().size(); ++directory) {
    if (index_->directories()[directory].name_length <= NAME_MAX) continue;
    const auto [first, last] = index_->subtree_entries(directory);
    for (uint32_t i = first; i < last; ++i) states_[i] = unseen_state(index_->entries()[i]);
  }
  std::vector<std::pair<DirectoryNode*, std::string>> to_look;
  rebind_directory(*top_, *old, old_states, old_looks, 0, to_look);
  collect_changed();
  // Positions of the old index mean nothing any more.
  touched_.entries.clear();
  touched_.submodules.clear();
  // Backwards, so that what is below a directory is looked at before the directory itself, which
  // can drop it.
  for (auto at = to_look.rbegin(); at != to_look.rend(); ++at) look(*at->first, at->second, true);
  for (uint32_t i = 0; i < index_->entries().size(); ++i) {
    if (index_->entries()[i].mode == kModeGitlink) touched_.submodules.insert(i);
  }
}

void WorktreeTree::rebind_directory(DirectoryNode& node, const Index& old,
                                    const std::vector<EntryState>& old_states,
                                    const Looks& old_looks, uint32_t new_directory,
                                    std::vector<std::pair<DirectoryNode*, std::string>>& to_look) {
  const auto before = old.entries_of(node.index_directory);
  const auto after = index_->entries_of(new_directory);
  node.index_directory = new_directory;
  // git can fold up again what it had expanded.
  if (index_->sparse_tree(new_directory)) sparse_present_.insert(new_directory);
  size_t i = 0;
  size_t j = 0;
  // Steps over all stages of the next name of either side.
  auto end_of = [](const Index& of, auto entries, size_t at, std::string_view name) {
    while (at < entries.size() && of.name(entries[at]) == name) ++at;
    return at;
  };
  while (i < before.size() || j < after.size()) {
    const bool has_old = i < before.size();
    const bool has_new = j < after.size();
    const std::string_view old_name = has_old ? old.name(before[i]) : std::string_view();
    const std::string_view new_name = has_new ? index_->name(after[j]) : std::string_view();
    if (has_old && has_new && old_name == new_name) {
      const size_t i_end = end_of(old, before, i, old_name);
      const size_t j_end = end_of(*index_, after, j, new_name);
      bool same = i_end - i == j_end - j;
      for (size_t k = 0; same && k < i_end - i; ++k) {
        const IndexEntry& a = before[i + k];
        const IndexEntry& b = after[j + k];
        same = a.stat == b.stat && a.mode == b.mode && a.flags == b.flags &&
               as_text(old.id_bytes(old.position(a))) ==
                   as_text(index_->id_bytes(index_->position(b)));
      }
      for (size_t k = 0; same && k < i_end - i; ++k) {
        same = !depends_on_index_time(before[i + k], old, *index_, old_looks);
      }
      if (same) {
        for (size_t k = 0; k < i_end - i; ++k) {
          const uint32_t from = old.position(before[i + k]);
          const uint32_t to = index_->position(after[j + k]);
          states_[to] = old_states[from];
          if (auto look = old_looks.find(from); look != old_looks.end()) looks_[to] = look->second;
        }
      } else {
        to_look.emplace_back(&node, std::string(new_name));
      }
      i = i_end;
      j = j_end;
    } else if (has_old && (!has_new || old_name < new_name)) {
      to_look.emplace_back(&node, std::string(old_name));
      i = end_of(old, before, i, old_name);
    } else {
      to_look.emplace_back(&node, std::string(new_name));
      j = end_of(*index_, after, j, new_name);
    }
  }
  for (auto& child : node.children) {
    auto below = index_->find_child(new_directory, child->name);
    if (child->submodule) continue;  // its entry was compared above
    const bool was_sparse =
        child->is_tracked() && old.sparse_tree(child->index_directory).has_value();
    if (child->is_tracked() && below && !was_sparse) {
      rebind_directory(*child, old, old_states, old_looks, *below, to_look);
    } else if (child->is_tracked() || below) {
      // Its place in the old index means another directory in the new one.
      for_each_node(*child, [](DirectoryNode& known) { known.index_directory = kNoDirectory; });
      to_look.emplace_back(&node, child->name);
    }
  }
  for (const Other& other : node.others) {
    // A symbolic link can make entries below it seen that are not expected there, or unseeable.
    if (index_->find_child(new_directory, other.name)) {
      to_look.emplace_back(&node, other.name);
    }
  }
}

}  // namespace resident
