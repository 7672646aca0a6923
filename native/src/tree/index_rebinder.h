// IndexRebinder: replaces the index of a tree, and rechecks the entries that differ.
//
// Most entries are the same in both indexes. Each directory's equal runs are skipped and their
// states copied. Names are compared only around the differences.
//
// Calls NameRechecker.
//
// Threads: the tree's owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "tree/name_rechecker.h"
#include "watch/batch.h"

namespace resident {

class IndexRebinder {
 public:
  // All arguments outlive this object.
  IndexRebinder(TreeState& state, NameRechecker& rechecker)
      : state_(state), rechecker_(rechecker) {}

  // Replaces the index. Unchanged entries keep their state; all others are rechecked. With
  // core.ignoreCase both must have the same paths; otherwise a scan is needed.
  void rebind(std::shared_ptr<const Index> index);
  // First step after the tree's index was refreshed; call it at once. From then on positions are
  // the new ones. Added entries count as missing.
  void renumber(const EntryMoves& moves);
  // Second step: rechecks added, removed and changed entries, but not the files that `to_apply`
  // marks.
  void reconsider(const Index::Refreshed& refreshed, const Batch& to_apply);

 private:
  struct Rebinding;
  size_t keep_same_entries(const Rebinding& from, uint32_t old_first, uint32_t old_end,
                           uint32_t new_first, uint32_t new_end);
  void rebind_directory(DirectoryNode& node, Rebinding& from, uint32_t new_directory);
  void record_conflicting(Rebinding& from) const;

  TreeState& state_;
  NameRechecker& rechecker_;
};

}  // namespace resident
