#include "tree/index_rebinder.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "object/tree.h"
#include "status/examine.h"

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

// Whether position `at` is another stage of the previous entry's path. Both are in the same
// directory.
bool continues_path(const Index& index, uint32_t at, uint32_t end) {
  const auto entries = index.entries();
  return at < end && same_name(index, entries[at], index, entries[at - 1]);
}

}  // namespace

// The previous data, and the names to recheck.
struct IndexRebinder::Rebinding {
  const Index& old;
  const EntryStates::Known known;
  std::vector<uint32_t> compared = {};  // sorted positions in known.compared
  std::vector<std::pair<DirectoryNode*, std::string>> to_recheck = {};

  // An equal entry can have another state with the new index: the racily clean rule uses the index
  // file's mtime. Content that was compared for another reason needs no new comparison.
  bool depends_on_index_time(const IndexEntry& entry, const Index& now) const {
    return is_racy(entry, old.mtime()) != is_racy(entry, now.mtime());
  }
};

void IndexRebinder::rebind(std::shared_ptr<const Index> index) {
  const std::shared_ptr<const Index> old = std::exchange(state_.index, std::move(index));
  if (state_.folded) state_.folded = std::make_shared<const FoldedIndex>(state_.index);
  Rebinding from{*old, state_.entries.begin_rebinding(state_.index->entries().size())};
  for (const auto& [position, look] : from.known.compared) from.compared.push_back(position);
  std::sort(from.compared.begin(), from.compared.end());
  state_.sparse_present.clear();
  state_.obstructed.clear();
  rebind_directory(*state_.top, from, 0);
  record_conflicting(from);
  // Entries without a state are missing on disk, or cannot exist there.
  const size_t max_name = state_.setup.fs.capabilities().max_name;
  for (uint32_t directory = 0; directory < state_.index->directories().size(); ++directory) {
    if (state_.index->directories()[directory].name_length <= max_name) continue;
    const auto [first, last] = state_.index->subtree_entries(directory);
    for (uint32_t i = first; i < last; ++i) {
      if (!state_.entries[i].is_known())
        state_.entries.put(i, unseen_state(state_.index->entries()[i]));
    }
  }
  for (uint32_t i = 0; i < state_.entries.size(); ++i) {
    if (!state_.entries[i].is_known())
      state_.entries.put(i, missing_state(state_.index->entries()[i]));
  }
  state_.entries.finish_rebinding(*old, from.known);
  // Backwards: paths below a directory are rechecked before the directory itself, which may be
  // deleted.
  for (auto at = from.to_recheck.rbegin(); at != from.to_recheck.rend(); ++at) {
    rechecker_.recheck_for_index(*at->first, at->second);
  }
  state_.entries.end_looks();
  state_.entries.touch_submodules(*state_.index);
}

// A conflict can leave a file in the index beside entries below a directory of the same name. The
// unchanged file on disk decides whether git can see those entries.
void IndexRebinder::record_conflicting(Rebinding& from) const {
  const auto is_unmerged = [](const IndexEntry& entry) { return entry.stage() != 0; };
  const auto entries = state_.index->entries();
  if (std::none_of(entries.begin(), entries.end(), is_unmerged)) return;
  for (uint32_t directory = 1; directory < state_.index->directories().size(); ++directory) {
    const auto [first, last] = state_.index->subtree_entries(directory);
    if (first == last || state_.entries[first].is_known()) continue;
    const uint32_t parent = state_.index->directories()[directory].parent;
    const std::string_view name = state_.index->directory_name(directory);
    if (!state_.index->find_entry(parent, name)) continue;
    std::string path = state_.index->directory_path(parent);
    if (!path.empty()) path += '/';
    if (DirectoryNode* node = state_.find_node(path))
      from.to_recheck.emplace_back(node, std::string(name));
  }
}

void IndexRebinder::renumber(const EntryMoves& moves) {
  if (moves.empty()) return;
  state_.entries.renumber(moves, *state_.index);
}

void IndexRebinder::reconsider(const Index::Refreshed& refreshed, const Batch& to_apply) {
  if (refreshed.empty()) return;
  if (state_.folded) state_.folded = std::make_shared<const FoldedIndex>(state_.index);
  struct Reconsidered {
    uint32_t directory;
    std::string_view name;
    bool is_gitlink;
  };
  std::vector<Reconsidered> places;
  places.reserve(refreshed.entries.size() + refreshed.removed.size());
  for (const uint32_t position : refreshed.entries) {
    state_.entries.forget_compared(position);
    const IndexEntry& entry = state_.index->entries()[position];
    places.push_back(
        {state_.index->directory_of(position), state_.index->name(entry), entry.is_gitlink()});
  }
  // A removed submodule can be an ordinary directory now.
  for (const auto& [directory, name] : refreshed.removed) places.push_back({directory, name, true});
  if (!refreshed.removed.empty()) {
    std::sort(places.begin(), places.end(), [](const Reconsidered& a, const Reconsidered& b) {
      return std::tie(a.directory, a.name) < std::tie(b.directory, b.name);
    });
  }
  // Recheck each place by its name in the deepest directory that still has a node. A recheck of a
  // directory includes everything below it.
  std::vector<std::pair<DirectoryNode*, std::string_view>> to_recheck;
  std::vector<uint32_t> way;
  for (const auto& [directory, name, is_gitlink] : places) {
    way.clear();
    for (uint32_t d = directory; d != 0; d = state_.index->directories()[d].parent)
      way.push_back(d);
    DirectoryNode* node = state_.top.get();
    while (!way.empty()) {
      DirectoryNode* child = node->find_child(state_.index->directory_name(way.back()));
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
    const std::pair there(node, way.empty() ? name : state_.index->directory_name(way.back()));
    if (to_recheck.empty() || to_recheck.back() != there) to_recheck.push_back(there);
  }
  // Backwards, like rebind().
  for (auto at = to_recheck.rbegin(); at != to_recheck.rend(); ++at)
    rechecker_.recheck_for_index(*at->first, at->second);
  state_.entries.touch_submodules(*state_.index);
}

// Copies the states of equal entries at the start of both ranges. Each range is in one directory.
// Stops before a path with a difference in any stage. Returns the number of copied entries.
size_t IndexRebinder::keep_same_entries(const Rebinding& from, uint32_t old_first, uint32_t old_end,
                                        uint32_t new_first, uint32_t new_end) {
  const Index& old = from.old;
  const Index& now = *state_.index;
  const IndexEntry* before = old.entries().data() + old_first;
  const IndexEntry* after = now.entries().data() + new_first;
  const uint32_t most = std::min(old_end - old_first, new_end - new_first);
  uint32_t same = 0;
  while (same < most && same_entry(old, before[same], now, after[same]) &&
         !from.depends_on_index_time(before[same], now)) {
    ++same;
  }
  while (same > 0 && (continues_path(old, old_first + same, old_end) ||
                      continues_path(now, new_first + same, new_end))) {
    --same;
  }
  state_.entries.copy_in(std::span(from.known.states).subspan(old_first, same), new_first);
  for (auto compared = std::lower_bound(from.compared.begin(), from.compared.end(), old_first);
       compared != from.compared.end() && *compared < old_first + same; ++compared) {
    state_.entries.record_compared(*compared - old_first + new_first,
                                   from.known.compared.at(*compared));
  }
  return same;
}

void IndexRebinder::rebind_directory(DirectoryNode& node, Rebinding& from, uint32_t new_directory) {
  const Index& old = from.old;
  const Index& now = *state_.index;
  const uint32_t old_directory = std::exchange(node.index_directory, new_directory);
  const IndexDirectory& before = old.directories()[old_directory];
  const IndexDirectory& after = now.directories()[new_directory];
  uint32_t i = before.first_entry;
  uint32_t j = after.first_entry;
  const uint32_t old_end = i + before.entry_count;
  const uint32_t new_end = j + after.entry_count;
  // The end of all stages of the path at `at`.
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
    const std::string_view new_name = has_new ? now.name(now.entries()[j]) : std::string_view();
    const bool old_is_next = has_old && (!has_new || old_name <= new_name);
    const bool new_is_next = has_new && (!has_old || new_name <= old_name);
    from.to_recheck.emplace_back(&node, std::string(old_is_next ? old_name : new_name));
    if (old_is_next) i = end_of(old, i, old_end);
    if (new_is_next) j = end_of(now, j, new_end);
  }
  // Without changes before it, a directory has the same distance to its parent as before.
  auto find_child = [&](const DirectoryNode& child) {
    if (!child.is_tracked()) return now.find_child(new_directory, child.name);
    return now.find_child(new_directory, child.name,
                          child.index_directory - old_directory + new_directory);
  };
  for (const auto& child : node.children()) {
    if (child->submodule) continue;  // its entry was compared above
    const std::optional<uint32_t> below = find_child(*child);
    // git collapsed this directory in one of the two indexes. Check whether it is still on disk.
    const bool sparse =
        (child->is_tracked() && old.sparse_tree(child->index_directory).has_value()) ||
        (below && now.sparse_tree(*below).has_value());
    if (child->is_tracked() && below && !sparse && child->readable()) {
      rebind_directory(*child, from, *below);
    } else if (child->is_tracked() || below) {
      // Its number in the old index means another directory in the new index.
      for_each_node(*child, [](DirectoryNode& known) { known.leave_index(); });
      from.to_recheck.emplace_back(&node, child->name);
    }
  }
  for (const Other& other : node.others()) {
    // A symbolic link can make unexpected entries below it visible, or hide entries.
    if (now.find_child(new_directory, other.name)) {
      from.to_recheck.emplace_back(&node, other.name);
    }
  }
}

}  // namespace resident
