#include "tree/worktree_tree.h"

#include <climits>

#include "attributes/attribute_file.h"
#include "object/tree.h"
#include "repository/nested_repository.h"
#include "status/absent.h"
#include "status/stat_match.h"
#include "status/tracked_rows.h"

namespace resident {

namespace {

// Whether it is a repository that git does not list by its own name.
bool stands_for_entry(const Index& index, const DirectoryNode& node) {
  return node.nested_repository() && node.parent && has_entry(index, *node.parent, node.name);
}

// Untracked paths that `node` itself can contribute, one by one.
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
  return {setup_.fs, setup_.root, *index_, settings_, setup_.content, entries_.compared()};
}

ScanContext WorktreeTree::scan_context() {
  return ScanContext{
      refresh_context(),
      entries_.begin_scan(),
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
  std::vector<LinkedFile> mounted = mounted_files(reading);
  ScanFindings findings = scan_subtree(context, *top, std::move(reading));
  if (control.cancelled && control.cancelled->load()) {
    // New directories got watches that nothing refers to.
    for (auto [id, node] : findings.watched) watches_.remove_stray(id);
    return Error{ErrorCode::kCancelled, setup_.root + ": the scan was cancelled"};
  }

  entries_.replace(std::move(states), index_.get(), *index);
  index_ = std::move(index);
  folded_ = std::move(folded);
  rules_ = rules;
  settings_ = settings;
  links_.clear();
  record_mounted(std::move(mounted));
  sweep_.restart();
  unreadable_.clear();
  unseen_.clear();
  sparse_present_.clear();
  obstructed_.clear();
  directories_at_files_.clear();
  const TreeWatches::Replaced old_watches = watches_.begin_replacing();
  top_ = std::move(top);
  watches_.set_root(std::move(root));
  const std::vector<DirectoryNode*> with_others = std::move(findings.with_others);
  adopt(std::move(findings));
  watches_.end_replacing(old_watches);
  std::set<std::string> untracked;
  for (const DirectoryNode* node : with_others) {
    if (stands_for_entry(*index_, *node)) continue;
    for_each_untracked(*node, [&](std::string path) { untracked.insert(std::move(path)); });
  }
  untracked_.replace(std::move(untracked));
  ignore_rules_touched_ = true;
  entries_.touch_submodules(*index_);
  return {};
}

// Before a scan looks at them: it may find them as they are a moment later.
std::vector<LinkedFile> WorktreeTree::mounted_files(const Directory& root) const {
  std::vector<LinkedFile> files;
  if (!setup_.mounted_below) return files;
  for (std::string& path : setup_.mounted_below()) {
    const Timestamp before = setup_.fs.now();
    const Result<FileStat> stat = setup_.fs.stat_at(root, path);
    if (stat.ok() && stat->kind == FileKind::kRegular) {
      files.push_back({std::move(path), *stat, before});
    }
  }
  return files;
}

void WorktreeTree::record_mounted(std::vector<LinkedFile> files) {
  std::set<std::string> paths;
  for (const LinkedFile& file : files) paths.insert(file.path);
  links_.set_mounted(std::move(paths));
  for (const LinkedFile& file : files) links_.note(file.path, file.stat, file.at);
}

void WorktreeTree::adopt(ScanFindings&& findings) {
  for (auto& [position, look] : findings.compared) entries_.record_compared(position, look);
  for (auto [id, node] : findings.watched) watches_.take(id, *node);
  watches_.mark_unwatched(findings.unwatched);
  unreadable_.insert(findings.unreadable.begin(), findings.unreadable.end());
  sparse_present_.insert(findings.sparse.begin(), findings.sparse.end());
  obstructed_.insert(findings.obstructed.begin(), findings.obstructed.end());
  directories_at_files_.insert(findings.directories_at_files.begin(),
                               findings.directories_at_files.end());
  std::move(findings.problems.begin(), findings.problems.end(), std::back_inserter(problems_));
  for (LinkedFile& file : findings.linked) {
    links_.note(file.path, file.stat, file.at);
  }
  links_.add_beyond(findings.more_linked);
  for (const uint64_t inode : findings.new_links) links_.record_new(inode);
  work_.directories += findings.directories;
  work_.lstats += findings.lstats;
  work_.contents_read += findings.contents_read;
  if (top_) {
    for (auto [id, node] : findings.watched) {
      if (node->has_dot_git) watches_.record_dot_git(*node);
    }
    for (DirectoryNode* node : findings.unwatched) {
      if (node->has_dot_git) watches_.record_dot_git(*node);
    }
  }
}

void WorktreeTree::count_untracked(DirectoryNode& top, bool listed) {
  for_each_node(top, [&](DirectoryNode& node) {
    // Before another index it can have been listed.
    if (listed && stands_for_entry(*index_, node)) return;
    for_each_untracked(node, [&](const std::string& path) { untracked_.set(path, listed); });
  });
}

// Reads an attached node and what is below it.
void WorktreeTree::read_subtree(DirectoryNode& node) {
  note(node.path());
  if (node.is_tracked()) {
    // Where something else stands in a directory's place is found again.
    const uint32_t end = index_->directories()[node.index_directory].subtree_end;
    obstructed_.erase(obstructed_.lower_bound(node.index_directory), obstructed_.lower_bound(end));
  }
  Result<Directory> directory = watches_.open(node);
  if (!directory.ok()) {
    const bool is_there = directory.error().code != ErrorCode::kNotFound;
    node.set_readable(false);
    if (node.is_tracked()) refresh_below(node.index_directory);
    if (node.parent && (node.is_tracked() || is_there)) unreadable_.insert(&node);
    if (is_there) problems_.push_back(directory.error().message);
    return;
  }
  const auto [first, last] = node.is_tracked() ? index_->subtree_entries(node.index_directory)
                                               : std::pair<uint32_t, uint32_t>{};
  const std::vector<EntryState> before = entries_.copy(first, last);
  ScanContext context = scan_context();
  context.is_new = true;
  adopt(scan_subtree(context, node, std::move(directory).value()));
  entries_.finish_scan(*index_, first, before);
  count_untracked(node, true);
  for_each_node(node,
                [this](DirectoryNode& below) { attributes_touched_ |= has_attributes(below); });
}

// Its coming or going changes what is made of the files around it.
bool WorktreeTree::has_attributes(DirectoryNode& node) const {
  if (node.submodule || node.nested_repository()) return false;
  return node.find_other(kGitattributes) ||
         (node.is_tracked() && index_->find_entry(node.index_directory, kGitattributes));
}

// Takes a child and everything below it out. The entries below are absent until something else is
// found.
void WorktreeTree::drop(DirectoryNode& parent, std::string_view name) {
  std::unique_ptr<DirectoryNode> child = parent.remove_child(name);
  if (!child) return;
  child->parent = &parent;
  note(child->path());
  count_untracked(*child, false);
  for_each_node(*child, [&](DirectoryNode& node) {
    watches_.drop(node);
    unreadable_.erase(&node);
    attributes_touched_ |= has_attributes(node);
  });
  if (child->is_tracked()) mark_missing(child->index_directory);
}

void WorktreeTree::mark_missing(uint32_t index_directory) {
  const RefreshContext context = refresh_context();
  const MissingDirectory missing(context, index_directory);
  const auto [first, last] = index_->subtree_entries(index_directory);
  for (uint32_t i = first; i < last; ++i) entries_.set(*index_, i, missing.state_of(i));
  if (!missing.is_linked()) return;
  const auto sparse = index_->sparse_directories_in(index_directory);
  sparse_present_.insert(sparse.begin(), sparse.end());
}

void WorktreeTree::refresh(std::string_view path, uint32_t position,
                           const std::optional<FileStat>& stat) {
  const RefreshContext context = refresh_context();
  for (const uint32_t end = index_->end_of_path(position); position < end; ++position) {
    take(position, refresh_entry(context, position, {watches_.root(), path}, stat));
    const IndexEntry& entry = index_->entries()[position];
    if (is_rename_destination(entry)) entries_.touch(position);
    rewritten_within_second_ |=
        stat && is_rewritten_within_second(entry, *stat, index_->mtime(), settings_);
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
        context, position, next, {watches_.root(), path}, Listed::kUnknown,
        [this](uint32_t stage, const Refreshed& refreshed) { take(stage, refreshed); });
    work_.lstats += examined.lstat;
  }
}

void WorktreeTree::take(uint32_t position, const Refreshed& refreshed) {
  if (refreshed.compared) ++work_.contents_read;
  if (refreshed.problem) problems_.push_back(refreshed.problem->message);
  if (refreshed.is_directory_at_file) directories_at_files_.insert(index_->path(position));
  entries_.take(*index_, position, refreshed);
}

Touched WorktreeTree::consume_touched() {
  return {entries_.consume_touched(),
          untracked_.consume_touched(),
          entries_.consume_touched_submodules(),
          std::exchange(ignore_rules_touched_, false),
          std::exchange(attributes_touched_, false),
          std::exchange(anything_touched_, false)};
}

void WorktreeTree::forget_looks() {
  const ContentCache known = entries_.consume_compared();
  for (const auto& [position, known_look] : known) {
    recheck_content(index_->path(position));
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
