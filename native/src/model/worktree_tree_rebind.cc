// The part of WorktreeTree that takes over a new index.
#include <climits>

#include "model/worktree_tree.h"
#include "object/tree.h"

namespace resident {

namespace {

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

}  // namespace

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
  for (const auto& child : node.children()) {
    auto below = index_->find_child(new_directory, child->name);
    if (child->submodule) continue;  // its entry was compared above
    const bool was_sparse =
        child->is_tracked() && old.sparse_tree(child->index_directory).has_value();
    if (child->is_tracked() && below && !was_sparse) {
      rebind_directory(*child, old, old_states, old_looks, *below, to_look);
    } else if (child->is_tracked() || below) {
      // Its place in the old index means another directory in the new one.
      for_each_node(*child, [](DirectoryNode& known) { known.leave_index(); });
      to_look.emplace_back(&node, child->name);
    }
  }
  for (const Other& other : node.others()) {
    // A symbolic link can make entries below it seen that are not expected there, or unseeable.
    if (index_->find_child(new_directory, other.name)) {
      to_look.emplace_back(&node, other.name);
    }
  }
}

}  // namespace resident
