#include "tree/name_rechecker.h"

#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "attributes/attribute_file.h"
#include "object/tree.h"
#include "status/directory_patterns.h"

namespace resident {

// --- Names

void NameRechecker::recheck_name(DirectoryNode& node, std::string_view name, bool arrived) {
  // Names in a submodule are not recorded in the journal.
  if (!state_.setup.journal || node.submodule) return examine_name(node, name, arrived);
  const std::string path = node.path_of(name);
  if (!is_for_index_) state_.record_in_journal(path);
  examine_name(node, name, arrived);
  // git may have written the index from an older state of the files.
  if (is_for_index_ && !is_as_indexed(path)) state_.record_in_journal(path);
}

void NameRechecker::examine_name(DirectoryNode& node, std::string_view name, bool arrived) {
  if (node.submodule) state_.mark_submodule(node);
  if (name == ".git") {
    if (!node.parent) return;
    node.has_dot_git = true;
    state_.watches.record_dot_git(node);
    if (node.submodule) return;
    return recheck_nested();
  }
  if (is_dot_git(name, state_.settings.ignore_case)) return;
  if (node.nested_repository()) return;

  const std::string path = node.path_of(name);
  const Timestamp before = state_.setup.fs.now();
  ++state_.work.lstats;
  Result<FileStat> looked = state_.setup.fs.stat_at(state_.watches.root(), path);
  if (!looked.ok() && looked.error().code != ErrorCode::kNotFound) {
    state_.problems.push_back(looked.error().message);
    return mark_unseen(node, name);
  }
  state_.unseen.erase(path);
  std::optional<FileStat> stat;
  if (looked.ok()) stat = *looked;

  // Also in a submodule, because another link of the file may be in this worktree.
  if (stat) state_.links.record_new(path, *stat);
  const bool is_directory = stat && stat->kind == FileKind::kDirectory;
  if (!is_directory) drop(node, name);
  if (is_directory) {
    enter_directory(node, name, arrived, *stat);
  } else if (!node.submodule) {
    auto position =
        node.is_tracked() ? state_.index->find_entry(node.index_directory, name) : std::nullopt;
    std::optional<OtherKind> kind;
    if (stat && !position) kind = classify_file(state_.name_rules(), node, path, name, stat->kind);
    node.set_other(name, kind ? &*kind : nullptr);
    state_.untracked.set(path, kind == OtherKind::kFile);
    if (position) state_.refresh(path, *position, stat);
    if (node.is_tracked()) {
      if (auto below = state_.index->find_child(node.index_directory, name)) {
        state_.mark_missing(*below);
        if (stat) {
          state_.obstructed.insert(*below);
        } else {
          state_.obstructed.erase(*below);
        }
      }
    }
    if (position || name == kGitignore || name == kGitattributes)
      state_.links.record(path, stat, before);
  }
  if (state_.top->submodule && !is_directory) state_.links.record(path, stat, before);
  if (node.submodule) return;
  if (name == kGitignore) reload_patterns(node);
  if (name == kGitattributes) state_.attributes_touched = true;
}

// lstat failed for `name`. TreePoller retries it.
void NameRechecker::mark_unseen(DirectoryNode& node, std::string_view name) {
  state_.unseen.insert(node.path_of(name));
  drop(node, name);
  if (!node.is_tracked()) return;
  const auto entries = state_.index->entries_of(node.index_directory);
  for (const IndexEntry& entry : entries) {
    if (state_.index->name(entry) == name)
      state_.entries.set(*state_.index, state_.index->position(entry), unseen_state(entry));
  }
  if (auto below = state_.index->find_child(node.index_directory, name))
    state_.mark_missing(*below);
}

// Handles a directory at `name`.
void NameRechecker::enter_directory(DirectoryNode& node, std::string_view name, bool arrived,
                                    const FileStat& stat) {
  const std::string path = node.path_of(name);
  const auto position =
      node.is_tracked() ? state_.index->find_entry(node.index_directory, name) : std::nullopt;
  std::unique_ptr<DirectoryNode> child =
      node_of(classify_directory(state_.name_rules(), node, path, name, position), name);

  if (position) state_.refresh(path, *position, stat);
  if (position && state_.index->entries()[*position].is_gitlink())
    state_.entries.touch_submodule(*position);
  state_.untracked.set(path, false);

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
    if (same && !arrived && known->readable()) {
      if (known->nested_repository()) state_.untracked.set(known->path(), !position);
      return;
    }
    drop(node, name);
  }
  read_subtree(node.insert_child(std::move(child)));
}

bool NameRechecker::recheck_path(std::string_view path) {
  const size_t name = path.rfind('/') + 1;
  DirectoryNode* node = state_.find_node(path.substr(0, name));
  if (node) recheck_name(*node, path.substr(name), false);
  return node;
}

void NameRechecker::recheck_content(std::string_view path) {
  const bool touched = state_.attributes_touched;
  recheck_path(path);
  state_.attributes_touched = touched;
}

void NameRechecker::compare_again(std::string_view path) {
  if (const auto position = state_.index->find_path(path))
    state_.entries.forget_compared(*position);
  recheck_content(path);
}

void NameRechecker::compare_all_again() {
  const ContentCache known = state_.entries.consume_compared();
  for (const auto& [position, known_look] : known) {
    recheck_content(state_.index->path(position));
  }
}

void NameRechecker::recheck_for_index(DirectoryNode& node, std::string_view name) {
  is_for_index_ = true;
  recheck_name(node, name, true);
  is_for_index_ = false;
}

bool NameRechecker::is_as_indexed(std::string_view path) const {
  const auto position = state_.index->find_path(path);
  return position && state_.entries[*position].is_clean();
}

// --- Directories

void NameRechecker::reread_directory(const DirectoryNode& node) {
  DirectoryNode& parent = *node.parent;
  const std::string name = node.name;
  recheck_name(parent, name, true);
}

bool NameRechecker::recheck_names(DirectoryNode& node, const Directory& directory, bool arrived) {
  std::set<std::string> names;
  for (const auto& child : node.children()) names.insert(child->name);
  for (const Other& other : node.others()) names.insert(other.name);
  if (node.is_tracked()) {
    for (const IndexEntry& entry : state_.index->entries_of(node.index_directory)) {
      names.emplace(state_.index->name(entry));
    }
  }
  DirectoryListing listing;
  const bool listed = state_.setup.fs.list(directory, listing).ok();
  for (size_t i = 0; listed && i < listing.size(); ++i) names.emplace(listing[i].name);
  node.has_dot_git |= node.parent && names.contains(".git");
  names.erase(".git");
  for (const std::string& name : names) recheck_name(node, name, arrived);
  return listed;
}

// Reads an attached node and everything below it.
void NameRechecker::read_subtree(DirectoryNode& node) {
  state_.record_in_journal(node.path());
  if (node.is_tracked()) {
    // The scan finds replaced directories again.
    const uint32_t end = state_.index->directories()[node.index_directory].subtree_end;
    state_.obstructed.erase(state_.obstructed.lower_bound(node.index_directory),
                            state_.obstructed.lower_bound(end));
  }
  Result<Directory> directory = state_.watches.open(node);
  if (!directory.ok()) {
    const bool is_there = directory.error().code != ErrorCode::kNotFound;
    node.set_readable(false);
    if (node.is_tracked()) state_.refresh_below(node.index_directory);
    if (node.parent && (node.is_tracked() || is_there)) state_.unreadable.insert(&node);
    if (is_there) state_.problems.push_back(directory.error().message);
    return;
  }
  const auto [first, last] = node.is_tracked() ? state_.index->subtree_entries(node.index_directory)
                                               : std::pair<uint32_t, uint32_t>{};
  const std::vector<EntryState> before = state_.entries.copy(first, last);
  ScanContext context = state_.scan_context();
  context.is_new = true;
  state_.adopt(scan_subtree(context, node, std::move(directory).value()));
  state_.entries.finish_scan(*state_.index, first, before);
  count_untracked(node, true);
  for_each_node(
      node, [this](DirectoryNode& below) { state_.attributes_touched |= has_attributes(below); });
}

// Removes a child and everything below it. Entries below are absent until a later check.
void NameRechecker::drop(DirectoryNode& parent, std::string_view name) {
  std::unique_ptr<DirectoryNode> child = parent.remove_child(name);
  if (!child) return;
  child->parent = &parent;
  state_.record_in_journal(child->path());
  count_untracked(*child, false);
  for_each_node(*child, [&](DirectoryNode& node) {
    state_.watches.drop(node);
    state_.unreadable.erase(&node);
    state_.attributes_touched |= has_attributes(node);
  });
  if (child->is_tracked()) state_.mark_missing(child->index_directory);
}

void NameRechecker::count_untracked(DirectoryNode& top, bool listed) {
  for_each_node(top, [&](DirectoryNode& node) {
    // It may have been listed with the previous index.
    if (listed && stands_for_entry(*state_.index, node)) return;
    for_each_untracked(node, [&](const std::string& path) { state_.untracked.set(path, listed); });
  });
}

// A new or removed .gitattributes changes the conversion of other files.
bool NameRechecker::has_attributes(DirectoryNode& node) const {
  if (node.submodule || node.nested_repository()) return false;
  return node.find_other(kGitattributes) ||
         (node.is_tracked() && state_.index->find_entry(node.index_directory, kGitattributes));
}

// --- Ignore rules

void NameRechecker::set_rules(const ExcludeRules& rules) {
  state_.rules = rules;
  state_.ignore_rules_touched = true;
  reignore(*state_.top);
}

void NameRechecker::reload_patterns(DirectoryNode& node) {
  read_patterns(state_.scan_context(), node, state_.watches.root(), node.path_of(".gitignore"));
  state_.ignore_rules_touched = true;
  reignore(node);
}

// Applies the new rules to all known names below `node`. Reads only directories that are no longer
// ignored.
void NameRechecker::reignore(DirectoryNode& node) {
  if (node.submodule || node.nested_repository()) return;
  std::vector<std::string> to_read;
  const std::string base = node.path();
  for (const Other& other : node.others()) {
    if (other.kind == OtherKind::kSpecial) continue;
    const std::string path = base + other.name;
    const bool is_directory = other.kind == OtherKind::kIgnoredDirectory;
    const bool ignored = state_.rules.ignores(node, path, other.name, is_directory);
    if (is_directory) {
      if (!ignored) to_read.push_back(other.name);
    } else {
      const OtherKind kind = ignored ? OtherKind::kIgnoredFile : OtherKind::kFile;
      node.set_other(other.name, &kind);
      state_.untracked.set(path, !ignored);
    }
  }
  for (const auto& child : node.children()) {
    if (child->submodule) continue;
    const bool ignored = state_.rules.ignores(node, base + child->name, child->name, true);
    if (child->holds_tracked()) {
      child->ignored = ignored;
    } else if (ignored) {
      to_read.push_back(child->name);
    }
  }
  for (const std::string& name : to_read) recheck_name(node, name, false);
  for (const auto& child : node.children()) reignore(*child);
}

// --- Repositories

void NameRechecker::recheck_nested() {
  recheck_directories_at_files();
  for (DirectoryNode* node : state_.watches.with_dot_git()) {
    // Rereading one node can delete another below it.
    if (!state_.watches.has_dot_git(node) || node->holds_tracked()) continue;
    if (node->submodule) {
      if (state_.watches.repository_changed(*node)) state_.mark_submodule(*node);
      continue;
    }
    if (state_.watches.is_repository(*node) == node->nested_repository()) continue;
    reread_directory(*node);
  }
}

void NameRechecker::recheck_directories_at_files() {
  const RefreshContext context = state_.refresh_context();
  std::erase_if(state_.directories_at_files, [&](const std::string& path) {
    const auto position = state_.index->find_path(path);
    if (!position) return true;
    if (!state_.may_be_repository(path)) return false;
    ++state_.work.lstats;
    const Result<FileStat> stat = state_.setup.fs.stat_at(state_.watches.root(), path);
    // Other checks handle the replacement.
    if (!stat.ok() || stat->kind != FileKind::kDirectory) return true;
    for (uint32_t stage = *position, end = state_.index->end_of_path(*position); stage < end;
         ++stage) {
      const Refreshed now = refresh_entry(context, stage, {state_.watches.root(), path}, *stat);
      if (!now.is_directory_at_file || now.state == state_.entries[stage]) continue;
      state_.record_in_journal(path);
      state_.entries.take(*state_.index, stage, now);
    }
    return false;
  });
}

}  // namespace resident
