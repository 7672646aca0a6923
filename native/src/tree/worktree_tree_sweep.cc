// The part of WorktreeTree that looks for what no event told: stores through mmap, writes by
// another name of a file or by another host, a watch that is gone.
//
// A directory is opened and compared with the one that is known, its watch is asked for again, its
// names are read where its mtime is another one, and each of its tracked files is looked at as a
// scan does it. Nothing is taken over from here: where something differs, its name is looked at as
// if an event had marked it, so a sweep can be late, and never wrong.
#include <algorithm>

#include "attributes/attribute_file.h"
#include "object/tree.h"
#include "status/directory_patterns.h"
#include "status/tracked_rows.h"
#include "tree/worktree_tree.h"

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

// One directory's turn.
struct WorktreeTree::Visit {
  const std::function<bool()>& interrupted;
  uint64_t left;         // looks that it may still take
  std::string from;      // files up to this one had their turn before; "" for all
  bool partial = false;  // it is to be gone on with after `from`

  // A look is about to be taken.
  void count(uint64_t& kind) {
    ++kind;
    if (left > 0) --left;
  }
};

WorktreeTree::SweepProgress WorktreeTree::sweep_progress() const {
  const uint64_t expected = entries_.size() + watches_.count() + watches_.unwatched();
  return {sweep_.rounds(), sweep_.looks(), expected};
}

bool WorktreeTree::sweep(uint64_t limit, const std::function<bool()>& interrupted) {
  if (!top_) return false;
  Visit visiting{interrupted, limit, {}};
  do {
    DirectoryNode* node = sweep_.next([this](std::string_view path) { return find_node(path); });
    if (!node) {
      links_.set_beyond(sweep_.linked_beyond());
      sweep_.end_round();
      return true;
    }
    const std::string path = node->path();
    visiting.from = sweep_.visited_in(path);
    visiting.partial = false;
    const uint64_t before = visiting.left;
    visit(*node, visiting);
    sweep_.record_visited(path, visiting.partial ? visiting.from : std::string(),
                          before - visiting.left);
  } while (visiting.left > 0 && !(interrupted && interrupted()));
  return entries_.has_touched() || untracked_.has_touched() || entries_.has_touched_submodules() ||
         ignore_rules_touched_ || attributes_touched_ || anything_touched_ || !problems_.empty() ||
         !sparse_present_.empty();
}

// The same of one directory that is polled, at once.
void WorktreeTree::recheck_now(const std::string& path) {
  const std::function<bool()> never;
  Visit visit{never, SIZE_MAX, {}};
  do {
    DirectoryNode* const node = find_node(path);
    // It went with one above, or with what was found in it.
    if (!node) return;
    visit.left = SIZE_MAX;
    visit.partial = false;
    visit_directory(*node, visit);
  } while (visit.partial);
}

// What is polled is not the sweep's.
void WorktreeTree::visit(DirectoryNode& node, Visit& visit) {
  visit.count(work_.directories);
  if (!watches_.is_polled(node)) visit_directory(node, visit);
}

void WorktreeTree::visit_directory(DirectoryNode& node, Visit& visit) {
  const std::string path = node.path();
  const auto changed_place = [&] {
    if (node.parent) reread_directory(node);
  };
  const Timestamp before = setup_.fs.now();
  Result<Directory> directory =
      node.parent ? setup_.fs.open_directory_at(watches_.root(), path.substr(0, path.size() - 1))
                  : setup_.fs.open_directory(setup_.root);
  if (!directory.ok()) {
    // What cannot be read still is polled.
    if (node.readable() || directory.error().code == ErrorCode::kNotFound) changed_place();
    return;
  }
  Result<FileStat> stat = setup_.fs.stat_directory(*directory);
  if (!stat.ok()) return;
  // Who keeps the tree sees to it that the root is the one that was read.
  if (node.parent && (!node.was_read_from(*stat) || !node.readable())) return changed_place();
  const bool goes_on = !visit.from.empty();
  const bool was_told = watches_.renew(node, *directory);
  if (node.nested_repository()) return;
  if (!was_told || (!goes_on && !node.is_as_read(*stat))) {
    const DirectoryNode* const visited = &node;
    node.record_stat(*stat, before);
    // Looking at what it found can make another node of this one.
    if (!visit_names(node, *directory) && find_node(path) != visited) return;
  }
  if (node.submodule) return;
  visit_entries(node, *directory, visit);
  if (visit.partial) return;
  for (const std::string_view name : {kGitignore, kGitattributes}) {
    if (!node.find_other(name)) continue;
    visit.count(work_.lstats);
    const Timestamp at = setup_.fs.now();
    Result<FileStat> rules = setup_.fs.stat_at(*directory, name);
    if (!rules.ok() || !is_file(rules->kind)) continue;
    links_.note(path + std::string(name), *rules, at);
    visit_rules(node, std::string(name), *rules, at);
  }
}

// Whether looking at the name has found what was listed; true where every look at the directory is
// one at the name.
bool WorktreeTree::is_known_as(const DirectoryNode& node, const ListedName& listed) const {
  const auto& [name, kind] = listed;
  if (node.submodule || node.nested_repository() || is_dot_git(name, settings_.ignore_case)) {
    return true;
  }
  const bool is_any = kind == FileKind::kUnknown;  // some file systems tell no more
  if (node.find_child(name)) return is_any || kind == FileKind::kDirectory;
  if (const Other* other = node.find_other(name)) {
    return is_any || (kind && is_kind(other->kind, *kind));
  }
  return !kind || (node.is_tracked() && index_->find_entry(node.index_directory, name));
}

// Looks at the names that came or went or stand for something else. False where there were any.
bool WorktreeTree::visit_names(DirectoryNode& node, const Directory& directory) {
  DirectoryListing listing;
  if (!setup_.fs.list(directory, listing).ok()) {
    node.mtime = {};
    return true;
  }
  std::vector<ListedName> to_look;
  std::vector<std::string_view> found;
  found.reserve(listing.size());
  // The watch of a directory that was moved away tells nothing of the one in its place. One that is
  // polled is compared with its place by itself.
  const auto is_replaced = [&](const DirectoryNode& child) {
    if (watches_.is_polled(child)) return false;
    ++work_.lstats;
    const Result<FileStat> stat = setup_.fs.stat_at(directory, child.name);
    return !stat.ok() || !child.was_read_from(*stat);
  };
  const auto has_entry = [&](std::string_view name) {
    auto position =
        node.is_tracked() ? index_->find_entry(node.index_directory, name) : std::nullopt;
    return position && !index_->entries()[*position].skip_worktree();
  };
  for (size_t i = 0; i < listing.size(); ++i) {
    const auto [name, kind] = listing[i];
    found.push_back(name);
    if (is_dot_git(name, settings_.ignore_case)) {
      if (node.parent && !node.submodule && !node.has_dot_git)
        to_look.emplace_back(std::string(name), kind);
    } else if (const DirectoryNode* const child = node.find_child(name)) {
      if (kind != FileKind::kDirectory || is_replaced(*child))
        to_look.emplace_back(std::string(name), kind);
    } else if (const Other* other = node.find_other(name)) {
      if (!is_kind(other->kind, kind)) to_look.emplace_back(std::string(name), kind);
    } else if (node.submodule) {
      if (!is_file(kind)) to_look.emplace_back(std::string(name), kind);
    } else if (!has_entry(name)) {
      to_look.emplace_back(std::string(name), kind);
    }
  }
  std::sort(found.begin(), found.end());
  const auto is_gone = [&](std::string_view name) {
    return !std::binary_search(found.begin(), found.end(), name);
  };
  for (const auto& child : node.children()) {
    if (is_gone(child->name)) to_look.emplace_back(child->name, std::nullopt);
  }
  for (const Other& other : node.others()) {
    if (is_gone(other.name)) to_look.emplace_back(other.name, std::nullopt);
  }
  if (node.has_dot_git && is_gone(".git")) to_look.emplace_back(".git", std::nullopt);
  const std::string path = node.path();
  for (const auto& [name, kind] : to_look) recheck(path + name);
  // A file system can keep what it said of a name for longer than what it lists. Then the names are
  // read again until both say the same.
  DirectoryNode* const now = find_node(path);
  const auto is_known = [&](const ListedName& listed) { return is_known_as(*now, listed); };
  if (now && !std::all_of(to_look.begin(), to_look.end(), is_known)) now->mtime = {};
  return to_look.empty();
}

void WorktreeTree::visit_entries(DirectoryNode& node, const Directory& directory, Visit& visit) {
  if (!node.is_tracked()) return;
  const uint32_t index_directory = node.index_directory;
  const auto entries = index_->entries_of(index_directory);
  if (entries.empty()) return;
  const uint32_t first = index_->position(entries.front());
  const uint32_t end = first + static_cast<uint32_t>(entries.size());
  const auto after = std::upper_bound(
      entries.begin(), entries.end(), std::string_view(visit.from),
      [&](std::string_view name, const IndexEntry& entry) { return name < index_->name(entry); });
  uint32_t next = first;
  if (!visit.from.empty()) next += static_cast<uint32_t>(after - entries.begin());
  std::string path = node.path();
  const size_t base = path.size();
  bool taken = false;
  // Content that was compared before is compared again: a store through a mapping does not always
  // leave a trace in the stat data.
  const ContentCache none;
  const RefreshContext context{setup_.fs, setup_.root, *index_, settings_, setup_.content, none};
  while (next < end) {
    const uint32_t position = next;
    const IndexEntry& entry = index_->entries()[position];
    const std::string_view name = index_->name(entry);
    do ++next;
    while (next < end && index_->name(index_->entries()[next]) == name);
    // Where what is not to be there comes into being, its directory's time tells.
    if (entry.stage() == 0 && (entry.assume_valid() || entries_[position].is_skipped())) continue;
    if (taken && (visit.left == 0 || (visit.interrupted && visit.interrupted()))) {
      visit.partial = true;
      return;
    }
    taken = true;
    visit.count(work_.lstats);
    const Timestamp at = setup_.fs.now();
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
        entries_.touch_submodule(position);
        visit.left = 0;  // asking for its state is work enough
      }
    }
    if (!same) {
      look(node, std::string(name), false);
      continue;
    }
    if (stat && stat->links > 1 && stat->kind == FileKind::kRegular) {
      links_.note(path, stat, at);
      if (!links_.contains(path) && !watches_.is_polled(node)) sweep_.record_linked();
    }
    if (name == kGitignore || name == kGitattributes) {
      visit_rules(node, std::string(name), stat, at);
    }
  }
}

// Whether the entry's state is the one that is kept. What is pending is looked at once it is known.
bool WorktreeTree::is_as_known(uint32_t position, const Refreshed& refreshed) {
  if (!refreshed.state.is_known()) return true;
  if (refreshed.compared) {
    ++work_.contents_read;
    entries_.record_compared(position, *refreshed.compared);
  }
  if (is_rename_destination(index_->entries()[position])) entries_.touch(position);
  return refreshed.state == entries_[position];
}

// A file whose content counts, whether it is as the index has it or not.
void WorktreeTree::visit_rules(DirectoryNode& node, const std::string& name,
                               const std::optional<FileStat>& stat, Timestamp at) {
  const std::string path = node.path_of(name);
  const SweepPosition::Seen seen = sweep_.see_rules(path, stat, at);
  if (seen == SweepPosition::Seen::kSame || seen == SweepPosition::Seen::kGone) return;
  if (seen == SweepPosition::Seen::kFirst && node.is_tracked()) {
    // What its stat data say to be the index's was so when it was read.
    const auto position = index_->find_entry(node.index_directory, name);
    if (position && entries_[*position].is_clean() && !entries_.compared().contains(*position))
      return;
  }
  look(node, name, false);
}

}  // namespace resident
