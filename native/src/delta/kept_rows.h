// KeptRows: the rows of tracked paths that deltas report, and the paths whose row changed since the
// last delta. The current source of the status writes the rows.
//
// Threads: the model's owner.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "status/tracked_rows.h"

namespace resident {

// git's rows of tracked paths, by path.
struct TrackedRows {
  ChangedRows changed;
  UnmergedRows unmerged;
  bool git_warns = false;  // during the search for renames
};

class KeptRows {
 public:
  const TrackedRows& rows() const { return rows_; }
  void set(ChangedEntry row) { set(rows_.changed, std::move(row)); }
  void set(UnmergedEntry row) { set(rows_.unmerged, std::move(row)); }
  void erase_changed(const std::string& path) {
    if (rows_.changed.erase(path) > 0) changed_.insert(path);
  }
  void replace(TrackedRows now) {
    mark_differences(rows_.changed, now.changed);
    mark_differences(rows_.unmerged, now.unmerged);
    rows_ = std::move(now);
  }

  // Paths whose row changed since the last call.
  std::set<std::string> consume_changed() { return std::exchange(changed_, {}); }

 private:
  template <typename Rows, typename Row>
  void set(Rows& rows, Row row) {
    auto& kept = rows[row.path];
    if (!(kept == row)) changed_.insert(row.path);
    kept = std::move(row);
  }
  template <typename Rows>
  void mark_differences(const Rows& before, const Rows& after) {
    for (const auto& [path, row] : before) {
      const auto same = after.find(path);
      if (same == after.end() || !(same->second == row)) changed_.insert(path);
    }
    for (const auto& [path, row] : after) {
      if (!before.contains(path)) changed_.insert(path);
    }
  }

  TrackedRows rows_;
  std::set<std::string> changed_;
};

}  // namespace resident
