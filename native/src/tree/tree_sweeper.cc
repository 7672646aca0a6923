#include "tree/tree_sweeper.h"

#include <algorithm>
#include <vector>

#include "attributes/attribute_file.h"
#include "object/tree.h"
#include "status/directory_patterns.h"
#include "status/examine.h"
#include "status/tracked_rows.h"

namespace resident {

namespace {

bool is_file(FileKind kind) {
  return kind == FileKind::kRegular || kind == FileKind::kSymlink;
}

bool is_kind(OtherKind known, FileKind found) {
  switch (known) {
    case OtherKind::kFile:
    case OtherKind::kIgnoredFile:
      return is_file(found);
    case OtherKind::kIgnoredDirectory:
      return found == FileKind::kDirectory;
    case OtherKind::kSpecial:
      return found == FileKind::kOther;
  }
  return false;
}

}  // namespace

// State of a visit to one directory.
struct TreeSweeper::Visit {
  const std::function<bool()>& interrupted;
  uint64_t left;         // looks that are still allowed
  std::string from;      // the last file that was already visited; "" for none
  bool partial = false;  // the visit must continue after `from`

  // Call it before each look.
  void count(uint64_t& kind) {
    ++kind;
    if (left > 0) --left;
  }
};

TreeSweeper::Progress TreeSweeper::progress() const {
  const uint64_t expected =
      state_.entries.size() + state_.watches.count() + state_.watches.unwatched();
  return {position_.rounds(), position_.looks(), expected};
}

bool TreeSweeper::sweep(uint64_t limit, const std::function<bool()>& interrupted) {
  if (!state_.top) return false;
  Visit visiting{interrupted, limit, {}};
  do {
    DirectoryNode* node =
        position_.next([this](std::string_view path) { return state_.find_node(path); });
    if (!node) {
      state_.links.set_beyond(position_.linked_beyond());
      position_.end_round();
      return true;
    }
    const std::string path = node->path();
    visiting.from = position_.visited_in(path);
    visiting.partial = false;
    const uint64_t before = visiting.left;
    visit(*node, visiting);
    position_.record_visited(path, visiting.partial ? visiting.from : std::string(),
                             before - visiting.left);
  } while (visiting.left > 0 && !(interrupted && interrupted()));
  return state_.has_collected();
}

void TreeSweeper::visit_whole(const std::string& path) {
  const std::function<bool()> never;
  Visit visit{never, SIZE_MAX, {}};
  do {
    DirectoryNode* const node = state_.find_node(path);
    // It was deleted with a parent, or by the results of the visit.
    if (!node) return;
    visit.left = SIZE_MAX;
    visit.partial = false;
    visit_directory(*node, visit);
  } while (visit.partial);
}

// Polled directories are not part of the sweep.
void TreeSweeper::visit(DirectoryNode& node, Visit& visit) {
  visit.count(state_.work.directories);
  if (!state_.watches.is_polled(node)) visit_directory(node, visit);
}

void TreeSweeper::visit_directory(DirectoryNode& node, Visit& visit) {
  const std::string path = node.path();
  const auto changed_place = [&] {
    if (node.parent) rechecker_.reread_directory(node);
  };
  const Timestamp before = state_.setup.fs.now();
  Result<Directory> directory = state_.watches.open(node);
  if (!directory.ok()) {
    // An unreadable directory is polled.
    if (node.readable() || directory.error().code == ErrorCode::kNotFound) changed_place();
    return;
  }
  Result<FileStat> stat = state_.setup.fs.stat_directory(*directory);
  if (!stat.ok()) return;
  // The owner of the tree checks that the root is the scanned one.
  if (node.parent && (!node.was_read_from(*stat) || !node.readable())) return changed_place();
  const bool goes_on = !visit.from.empty();
  const bool was_told = state_.watches.renew(node, *directory);
  if (node.nested_repository()) return;
  if (!was_told || (!goes_on && !node.is_as_read(*stat))) {
    const DirectoryNode* const visited = &node;
    node.record_stat(*stat, before);
    // The rechecks can replace this node.
    if (!visit_names(node, *directory) && state_.find_node(path) != visited) return;
  }
  if (node.submodule) return;
  visit_entries(node, *directory, visit);
  if (visit.partial) return;
  for (const std::string_view name : {kGitignore, kGitattributes}) {
    if (!node.find_other(name)) continue;
    visit.count(state_.work.lstats);
    const Timestamp at = state_.setup.fs.now();
    Result<FileStat> rules = state_.setup.fs.stat_at(*directory, name);
    if (!rules.ok() || !is_file(rules->kind)) continue;
    state_.links.record(path + std::string(name), *rules, at);
    recheck_rules(node, std::string(name), *rules, at);
  }
}

// Whether the recheck of the name found the listed kind. True for names that are not compared here.
bool TreeSweeper::is_known_as(const DirectoryNode& node, const ListedName& listed) const {
  const auto& [name, kind] = listed;
  if (node.submodule || node.nested_repository() || is_dot_git(name, state_.settings.ignore_case)) {
    return true;
  }
  const bool is_any = kind == FileKind::kUnknown;  // some file systems give no kind
  if (node.find_child(name)) return is_any || kind == FileKind::kDirectory;
  if (const Other* other = node.find_other(name)) {
    return is_any || (kind && is_kind(other->kind, *kind));
  }
  return !kind || (node.is_tracked() && state_.index->find_entry(node.index_directory, name));
}

// Rechecks names that were added, removed or replaced. False if there were any.
bool TreeSweeper::visit_names(DirectoryNode& node, const Directory& directory) {
  DirectoryListing listing;
  if (!state_.setup.fs.list(directory, listing).ok()) {
    node.mtime = {};
    return true;
  }
  std::vector<ListedName> to_recheck;
  std::vector<std::string_view> found;
  found.reserve(listing.size());
  // The watch of a moved directory reports nothing about the directory that replaced it. Polled
  // directories detect that themselves.
  const auto is_replaced = [&](const DirectoryNode& child) {
    if (state_.watches.is_polled(child)) return false;
    ++state_.work.lstats;
    const Result<FileStat> stat = state_.setup.fs.stat_at(directory, child.name);
    return !stat.ok() || !child.was_read_from(*stat);
  };
  const auto has_entry = [&](std::string_view name) {
    auto position =
        node.is_tracked() ? state_.index->find_entry(node.index_directory, name) : std::nullopt;
    return position && !state_.index->entries()[*position].skip_worktree();
  };
  for (size_t i = 0; i < listing.size(); ++i) {
    const auto [name, kind] = listing[i];
    found.push_back(name);
    if (is_dot_git(name, state_.settings.ignore_case)) {
      if (node.parent && !node.submodule && !node.has_dot_git)
        to_recheck.emplace_back(std::string(name), kind);
    } else if (const DirectoryNode* const child = node.find_child(name)) {
      if (kind != FileKind::kDirectory || is_replaced(*child))
        to_recheck.emplace_back(std::string(name), kind);
    } else if (const Other* other = node.find_other(name)) {
      if (!is_kind(other->kind, kind)) to_recheck.emplace_back(std::string(name), kind);
    } else if (node.submodule) {
      if (!is_file(kind)) to_recheck.emplace_back(std::string(name), kind);
    } else if (!has_entry(name)) {
      to_recheck.emplace_back(std::string(name), kind);
    }
  }
  std::sort(found.begin(), found.end());
  const auto is_gone = [&](std::string_view name) {
    return !std::binary_search(found.begin(), found.end(), name);
  };
  for (const auto& child : node.children()) {
    if (is_gone(child->name)) to_recheck.emplace_back(child->name, std::nullopt);
  }
  for (const Other& other : node.others()) {
    if (is_gone(other.name)) to_recheck.emplace_back(other.name, std::nullopt);
  }
  if (node.has_dot_git && is_gone(".git")) to_recheck.emplace_back(".git", std::nullopt);
  const std::string path = node.path();
  for (const auto& [name, kind] : to_recheck) rechecker_.recheck_path(path + name);
  // A file system can cache a name's stat longer than a listing. Read the names again until both
  // agree.
  DirectoryNode* const now = state_.find_node(path);
  const auto is_known = [&](const ListedName& listed) { return is_known_as(*now, listed); };
  if (now && !std::all_of(to_recheck.begin(), to_recheck.end(), is_known)) now->mtime = {};
  return to_recheck.empty();
}

void TreeSweeper::visit_entries(DirectoryNode& node, const Directory& directory, Visit& visit) {
  if (!node.is_tracked()) return;
  const Index& index = *state_.index;
  const auto entries = index.entries_of(node.index_directory);
  if (entries.empty()) return;
  const uint32_t first = index.position(entries.front());
  const uint32_t end = first + static_cast<uint32_t>(entries.size());
  const auto after = std::upper_bound(
      entries.begin(), entries.end(), std::string_view(visit.from),
      [&](std::string_view name, const IndexEntry& entry) { return name < index.name(entry); });
  uint32_t next = first;
  if (!visit.from.empty()) next += static_cast<uint32_t>(after - entries.begin());
  std::string path = node.path();
  const size_t base = path.size();
  bool taken = false;
  // Do not reuse comparisons: a store through a mapping does not always change the stat data.
  const ContentCache none;
  const RefreshContext context{state_.setup.fs, state_.setup.root,    index,
                               state_.settings, state_.setup.content, none};
  while (next < end) {
    const uint32_t position = next;
    const IndexEntry& entry = index.entries()[position];
    const std::string_view name = index.name(entry);
    do ++next;
    while (next < end && index.name(index.entries()[next]) == name);
    // If such a file appears, the directory's mtime changes.
    if (entry.stage() == 0 && (entry.assume_valid() || state_.entries[position].is_skipped()))
      continue;
    if (taken && (visit.left == 0 || (visit.interrupted && visit.interrupted()))) {
      visit.partial = true;
      return;
    }
    taken = true;
    visit.count(state_.work.lstats);
    const Timestamp at = state_.setup.fs.now();
    path.resize(base);
    path += name;
    visit.from = name;
    bool same = true;
    const Examined examined = examine_path(
        context, position, next, {directory, name, std::string_view(path).substr(0, base)},
        Listed::kUnknown, [&](uint32_t stage, const Refreshed& refreshed) {
          same = is_as_known(stage, refreshed) && same;
        });
    const std::optional<FileStat>& stat = examined.stat;
    if (!examined.unseen) {
      const DirectoryNode* child = node.find_child(name);
      same = same && (child != nullptr) == (stat && stat->kind == FileKind::kDirectory);
      if (child && entry.mode == kModeGitlink) {
        state_.entries.touch_submodule(position);
        visit.left = 0;  // a submodule is enough work for one call
      }
    }
    if (!same) {
      rechecker_.recheck_name(node, std::string(name), false);
      continue;
    }
    if (stat && stat->links > 1 && stat->kind == FileKind::kRegular) {
      state_.links.record(path, stat, at);
      if (!state_.links.contains(path) && !state_.watches.is_polled(node))
        position_.record_linked();
    }
    if (name == kGitignore || name == kGitattributes) {
      recheck_rules(node, std::string(name), stat, at);
    }
  }
}

// Whether the stored state is still right. A pending entry is rechecked after its answer.
bool TreeSweeper::is_as_known(uint32_t position, const Refreshed& refreshed) {
  if (!refreshed.state.is_known()) return true;
  if (refreshed.compared) {
    ++state_.work.contents_read;
    state_.entries.record_compared(position, *refreshed.compared);
  }
  if (is_rename_destination(state_.index->entries()[position])) state_.entries.touch(position);
  return refreshed.state == state_.entries[position];
}

void TreeSweeper::recheck_rules(DirectoryNode& node, const std::string& name,
                                const std::optional<FileStat>& stat, Timestamp at) {
  const std::string path = node.path_of(name);
  const SweepPosition::Seen seen = position_.see_rules(path, stat, at);
  if (seen == SweepPosition::Seen::kSame || seen == SweepPosition::Seen::kGone) return;
  if (seen == SweepPosition::Seen::kFirst && node.is_tracked()) {
    // A file that is clean by its stat data had the index's content when it was read.
    const auto position = state_.index->find_entry(node.index_directory, name);
    if (position && state_.entries[*position].is_clean() &&
        !state_.entries.compared().contains(*position))
      return;
  }
  rechecker_.recheck_name(node, name, false);
}

}  // namespace resident
