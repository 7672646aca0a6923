// The part of WorktreeTree that takes over a new index.
//
// Most of it is as in the old one, so directory by directory the entries that are the same are
// passed over in runs, and their states copied; only around the others are names compared.
#include <algorithm>
#include <climits>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "object/tree.h"
#include "tree/worktree_tree.h"

namespace resident {

namespace {

bool same_name(const Index& a, const IndexEntry& x, const Index& b, const IndexEntry& y) {
  return a.name(x) == b.name(y);
}

bool same_entry(const Index& a, const IndexEntry& x, const Index& b, const IndexEntry& y) {
  static_assert(std::has_unique_object_representations_v<IndexStat>);
  return std::memcmp(&x.stat, &y.stat, sizeof x.stat) == 0 && x.mode == y.mode &&
         x.flags == y.flags && same_name(a, x, b, y) &&
         as_text(a.id_bytes(a.position(x))) == as_text(b.id_bytes(b.position(y)));
}

// Whether position `at` is another stage of the path before it. Both are in the same directory.
bool continues_path(const Index& index, uint32_t at, uint32_t end) {
  const auto entries = index.entries();
  return at < end && same_name(index, entries[at], index, entries[at - 1]);
}

}  // namespace

// What there was, and what is to be looked at.
struct WorktreeTree::Rebinding {
  const Index& old;
  const EntryStates::Known known;
  std::vector<uint32_t> looked_at = {};  // the positions in known.compared, sorted
  std::vector<std::pair<DirectoryNode*, std::string>> to_look = {};

  // What was found about an entry can be another thing under the new index, though the entry is the
  // same: the racily clean rule compares it with the time of the index file. Where content was
  // compared for another reason, that reason stands.
  bool depends_on_index_time(const IndexEntry& entry, const Index& now) const {
    return is_racy(entry, old.mtime()) != is_racy(entry, now.mtime());
  }
};

void WorktreeTree::rebind(std::shared_ptr<const Index> index) {
  const std::shared_ptr<const Index> old = std::exchange(index_, std::move(index));
  if (folded_) folded_ = std::make_shared<const FoldedIndex>(index_);
  Rebinding from{*old, entries_.begin_rebinding(index_->entries().size())};
  for (const auto& [position, look] : from.known.compared) from.looked_at.push_back(position);
  std::sort(from.looked_at.begin(), from.looked_at.end());
  sparse_present_.clear();
  obstructed_.clear();
  rebind_directory(*top_, from, 0);
  record_conflicting(from);
  // What nothing says otherwise about is not on disk, if it can be there at all.
  for (uint32_t directory = 0; directory < index_->directories().size(); ++directory) {
    if (index_->directories()[directory].name_length <= NAME_MAX) continue;
    const auto [first, last] = index_->subtree_entries(directory);
    for (uint32_t i = first; i < last; ++i) {
      if (!entries_[i].is_known()) entries_.put(i, unseen_state(index_->entries()[i]));
    }
  }
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    if (!entries_[i].is_known()) entries_.put(i, missing_state(index_->entries()[i]));
  }
  entries_.finish_rebinding(*old, from.known);
  // Backwards, so that what is below a directory is looked at before the directory itself, which
  // can drop it.
  looks_for_index_ = true;
  for (auto at = from.to_look.rbegin(); at != from.to_look.rend(); ++at) {
    look(*at->first, at->second, true);
  }
  looks_for_index_ = false;
  entries_.end_looks();
  entries_.touch_submodules(*index_);
}

// A conflict can leave a file in the index beside what is below a directory of that name. What
// stands there in the worktree, as it did before, decides whether that can be seen.
void WorktreeTree::record_conflicting(Rebinding& from) const {
  const auto is_unmerged = [](const IndexEntry& entry) { return entry.stage() != 0; };
  const auto entries = index_->entries();
  if (std::none_of(entries.begin(), entries.end(), is_unmerged)) return;
  for (uint32_t directory = 1; directory < index_->directories().size(); ++directory) {
    const auto [first, last] = index_->subtree_entries(directory);
    if (first == last || entries_[first].is_known()) continue;
    const uint32_t parent = index_->directories()[directory].parent;
    const std::string_view name = index_->directory_name(directory);
    if (!index_->find_entry(parent, name)) continue;
    std::string path = index_->directory_path(parent);
    if (!path.empty()) path += '/';
    if (DirectoryNode* node = find_node(path)) from.to_look.emplace_back(node, std::string(name));
  }
}

void WorktreeTree::renumber(const EntryMoves& moves) {
  if (moves.empty()) return;
  entries_.renumber(moves, *index_);
}

void WorktreeTree::reconsider(const Index::Refreshed& refreshed, const Batch& to_apply) {
  if (refreshed.empty()) return;
  if (folded_) folded_ = std::make_shared<const FoldedIndex>(index_);
  struct Reconsidered {
    uint32_t directory;
    std::string_view name;
    bool is_gitlink;
  };
  std::vector<Reconsidered> places;
  places.reserve(refreshed.entries.size() + refreshed.removed.size());
  for (const uint32_t position : refreshed.entries) {
    entries_.forget_compared(position);
    const IndexEntry& entry = index_->entries()[position];
    places.push_back({index_->directory_of(position), index_->name(entry), entry.is_gitlink()});
  }
  // What was a submodule can be another directory now.
  for (const auto& [directory, name] : refreshed.removed) places.push_back({directory, name, true});
  if (!refreshed.removed.empty()) {
    std::sort(places.begin(), places.end(), [](const Reconsidered& a, const Reconsidered& b) {
      return std::tie(a.directory, a.name) < std::tie(b.directory, b.name);
    });
  }
  // By the name that leads to them in the last directory on the way that is kept. A look at a
  // directory looks at everything below it.
  std::vector<std::pair<DirectoryNode*, std::string_view>> to_look;
  std::vector<uint32_t> way;
  for (const auto& [directory, name, is_gitlink] : places) {
    way.clear();
    for (uint32_t d = directory; d != 0; d = index_->directories()[d].parent) way.push_back(d);
    DirectoryNode* node = top_.get();
    while (!way.empty()) {
      DirectoryNode* child = node->find_child(index_->directory_name(way.back()));
      if (!child || child->index_directory != way.back() || !child->readable()) break;
      node = child;
      way.pop_back();
    }
    if (way.empty() && !is_gitlink) {
      const auto marked = to_apply.directories().find(node->watch);
      const bool is_marked = marked != to_apply.directories().end() &&
                             marked->second.names.contains(std::string(name));
      if (is_marked) continue;
    }
    const std::pair there(node, way.empty() ? name : index_->directory_name(way.back()));
    if (to_look.empty() || to_look.back() != there) to_look.push_back(there);
  }
  // Backwards, as in rebind().
  looks_for_index_ = true;
  for (auto at = to_look.rbegin(); at != to_look.rend(); ++at) look(*at->first, at->second, true);
  looks_for_index_ = false;
  entries_.touch_submodules(*index_);
}

// Takes over what is known of the paths that begin both ranges of entries, each of one directory,
// as long as they are the same with all their stages. How many entries that are.
size_t WorktreeTree::keep_same_entries(const Rebinding& from, uint32_t old_first, uint32_t old_end,
                                       uint32_t new_first, uint32_t new_end) {
  const Index& old = from.old;
  const IndexEntry* before = old.entries().data() + old_first;
  const IndexEntry* after = index_->entries().data() + new_first;
  const uint32_t most = std::min(old_end - old_first, new_end - new_first);
  uint32_t same = 0;
  while (same < most && same_entry(old, before[same], *index_, after[same]) &&
         !from.depends_on_index_time(before[same], *index_)) {
    ++same;
  }
  while (same > 0 && (continues_path(old, old_first + same, old_end) ||
                      continues_path(*index_, new_first + same, new_end))) {
    --same;
  }
  entries_.copy_in(std::span(from.known.states).subspan(old_first, same), new_first);
  for (auto looked_at = std::lower_bound(from.looked_at.begin(), from.looked_at.end(), old_first);
       looked_at != from.looked_at.end() && *looked_at < old_first + same; ++looked_at) {
    entries_.record_compared(*looked_at - old_first + new_first,
                             from.known.compared.at(*looked_at));
  }
  return same;
}

void WorktreeTree::rebind_directory(DirectoryNode& node, Rebinding& from, uint32_t new_directory) {
  const Index& old = from.old;
  const uint32_t old_directory = std::exchange(node.index_directory, new_directory);
  const IndexDirectory& before = old.directories()[old_directory];
  const IndexDirectory& after = index_->directories()[new_directory];
  uint32_t i = before.first_entry;
  uint32_t j = after.first_entry;
  const uint32_t old_end = i + before.entry_count;
  const uint32_t new_end = j + after.entry_count;
  // Steps over all stages of the next name of either side.
  auto end_of = [](const Index& of, uint32_t at, uint32_t end) {
    do ++at;
    while (continues_path(of, at, end));
    return at;
  };
  while (i < old_end || j < new_end) {
    const auto same = static_cast<uint32_t>(keep_same_entries(from, i, old_end, j, new_end));
    i += same;
    j += same;
    const bool has_old = i < old_end;
    const bool has_new = j < new_end;
    if (!has_old && !has_new) break;
    const std::string_view old_name = has_old ? old.name(old.entries()[i]) : std::string_view();
    const std::string_view new_name =
        has_new ? index_->name(index_->entries()[j]) : std::string_view();
    const bool old_is_next = has_old && (!has_new || old_name <= new_name);
    const bool new_is_next = has_new && (!has_old || new_name <= old_name);
    from.to_look.emplace_back(&node, std::string(old_is_next ? old_name : new_name));
    if (old_is_next) i = end_of(old, i, old_end);
    if (new_is_next) j = end_of(*index_, j, new_end);
  }
  // Where nothing came or went before it, a directory is as far behind its parent as it was.
  auto find_child = [&](const DirectoryNode& child) {
    if (!child.is_tracked()) return index_->find_child(new_directory, child.name);
    return index_->find_child(new_directory, child.name,
                              child.index_directory - old_directory + new_directory);
  };
  for (const auto& child : node.children()) {
    if (child->submodule) continue;  // its entry was compared above
    const std::optional<uint32_t> below = find_child(*child);
    // Whether what git folded up, again perhaps, is still there is to be seen.
    const bool sparse =
        (child->is_tracked() && old.sparse_tree(child->index_directory).has_value()) ||
        (below && index_->sparse_tree(*below).has_value());
    if (child->is_tracked() && below && !sparse && child->readable()) {
      rebind_directory(*child, from, *below);
    } else if (child->is_tracked() || below) {
      // Its place in the old index means another directory in the new one.
      for_each_node(*child, [](DirectoryNode& known) { known.leave_index(); });
      from.to_look.emplace_back(&node, child->name);
    }
  }
  for (const Other& other : node.others()) {
    // A symbolic link can make entries below it seen that are not expected there, or unseeable.
    if (index_->find_child(new_directory, other.name)) {
      from.to_look.emplace_back(&node, other.name);
    }
  }
}

}  // namespace resident
