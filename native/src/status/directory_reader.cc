#include "status/directory_reader.h"

#include <cerrno>
#include <string>

#include "index/prefetch.h"
#include "status/absent.h"

namespace resident {

void DirectoryReader::watch(DirectoryNode& node, const Directory& directory) {
  node.watch = kNoWatch;
  if (!context_.watcher) return;
  Result<Watcher::Added> added = context_.watcher->add(directory);
  if (!added.ok()) {
    record_problem(findings_, node, added.error());
    findings_.unwatched.push_back(&node);
  } else if (added->at_limit) {
    findings_.unwatched.push_back(&node);
  } else {
    node.watch = added->id;
    findings_.watched.emplace_back(added->id, &node);
  }
}

bool DirectoryReader::fail(const Task& task, const Error& error) {
  DirectoryNode& node = *task.node;
  entries_.record_unreadable(node, {task.parent, node.parent ? node.parent->path().size() : 0},
                             error);
  return false;
}

bool DirectoryReader::open_parent(Task& task) {
  DirectoryOpener::Above reached = opener_.open_above(*task.node);
  if (reached.failure) {
    task.node->begin_reading();
    entries_.record_unreadable(*task.node, reached, *reached.failure);
    return false;
  }
  task.parent = std::move(reached.directory);
  return true;
}

bool DirectoryReader::open(Task& task) {
  DirectoryNode& node = *task.node;
  const bool is_sparse = node.is_tracked() && index().sparse_tree(node.index_directory);
  if (is_sparse && !is_only_tracked()) {
    findings_.sparse.push_back(node.index_directory);
    return false;
  }
  if (is_too_long(fs(), current_.path().size())) {
    return fail(task, error_from_errno(ENAMETOOLONG, std::string(current_.path())));
  }
  // Prefetches while the directory is opened and listed.
  if (node.is_tracked()) prefetch_entries(index(), node.index_directory);
  if (!task.parent) return true;
  Result<Directory> opened = is_only_tracked() ? opener_.open_place(*task.parent, node.name)
                                               : fs().open_directory_at(*task.parent, node.name);
  const bool is_missing = !opened.ok() && opened.error().code == ErrorCode::kNotFound;
  if (is_sparse && !is_missing) {
    findings_.sparse.push_back(node.index_directory);
    return false;
  }
  if (!opened.ok()) return fail(task, opened.error());
  task.directory = std::move(opened).value();
  return true;
}

// `are_entries_alone`: the listed files are exactly the directory's index entries.
void DirectoryReader::take_listing(DirectoryNode& node, const Directory& directory,
                                   bool are_entries_alone) {
  for (size_t i = 0; i < listing_.size(); ++i) {
    if (are_entries_alone && listing_.kind(i) != FileKind::kDirectory) continue;
    names_.take(node, directory, listing_[i]);
  }
}

bool DirectoryReader::read_names(const Task& task) {
  DirectoryNode& node = *task.node;
  current_.begin_listing(node, task.directory);
  if (names_.is_above_start()) {
    entries_.begin(node, Listed::kUnknown);
    git_files_.read_unlisted(node, task.directory);
    if (!node.nested_repository()) names_.take_way(node, task.directory);
  } else {
    Result<void> listed = fs().list(task.directory, listing_);
    if (!listed.ok()) return fail(task, listed.error());
    // The usual case, and then no name is looked up among the entries.
    const bool are_entries_alone = entries_.are_exactly(node, listing_);
    if (are_entries_alone) {
      entries_.begin_without_lookup(node, Listed::kFile);
    } else {
      entries_.begin(node, Listed::kNothing);
    }
    git_files_.read(node, task.directory, listing_);
    if (!node.nested_repository()) take_listing(node, task.directory, are_entries_alone);
  }
  if (node.nested_repository()) findings_.with_others.push_back(&node);
  return !node.nested_repository();
}

void DirectoryReader::finish(DirectoryNode& node, const Directory& directory) {
  entries_.examine(node, directory);
  if (!is_only_tracked() && !node.submodule) current_.record_searchable(node, directory);
  node.end_reading();
  node.suppose_nothing_to_list();
  if (!node.others().empty()) findings_.with_others.push_back(&node);
  if (node.is_tracked() && !is_only_tracked()) mark_absent_below(context_, node, findings_);
}

// In a directory that only leads to the limit's paths, each path is listed.
bool DirectoryReader::is_read_to_first(const DirectoryNode& node) const {
  return context_.untracked == UntrackedNeed::kFirst && !node.holds_tracked() &&
         context_.limit.directory(current_.path()) != PathspecMatch::kLeading;
}

std::shared_ptr<const Directory> DirectoryReader::read(Task task) {
  if (context_.cancelled && context_.cancelled->load(std::memory_order_relaxed)) return nullptr;
  DirectoryNode& node = *task.node;
  current_.set_path(node);
  if (!task.directory.valid() && !task.parent && !open_parent(task)) return nullptr;
  if (is_read_to_first(node)) {
    first_untracked_.find(node, *task.parent);
    return nullptr;
  }
  node.begin_reading();
  if (!open(task)) return nullptr;
  if (node.is_tracked()) prefetch_names(index(), node.index_directory);
  watch(node, task.directory);
  ++findings_.directories;
  if (is_only_tracked()) {
    entries_.begin_without_lookup(node, Listed::kUnknown);
    names_.take_index_directories(node);
  } else if (!read_names(task)) {
    return nullptr;
  }
  task.parent.reset();
  finish(node, task.directory);
  if (node.children().empty()) return nullptr;
  return std::make_shared<const Directory>(std::move(task.directory));
}

}  // namespace resident
