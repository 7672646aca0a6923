// StatusRows: keeps git's row for each tracked path that differs from HEAD, and makes rows for
// other queries.
//
// A change of one entry rebuilds its row only. If the change can reach other rows, for example by a
// rename, all rows are rebuilt.
//
// Threads: the model's owner.
#pragma once

#include <array>
#include <optional>
#include <set>
#include <string>

#include "model/known_submodules.h"
#include "model/model_view.h"
#include "model/staged_changes.h"
#include "status/tracked_rows.h"

namespace resident {

class StatusRows {
 public:
  struct Lists {
    ChangedRows changed;
    UnmergedRows unmerged;
    bool git_warns = false;  // during the search for renames
  };
  // The inputs of rows.
  struct Sources {
    const ModelView& view;
    const StagedChanges& staged;
    const KnownSubmodules& submodules;
  };

  // `pathspec` limits the kept rows, which deltas report; null: all rows.
  explicit StatusRows(std::shared_ptr<const Pathspec> pathspec) : pathspec_(std::move(pathspec)) {}

  // Marks the rows of these entries for the next update().
  void mark_touched(const std::set<uint32_t>& positions) {
    due_.insert(positions.begin(), positions.end());
  }
  Result<void> update(const Sources& sources, const InputVersions& versions);
  // Replaces the kept rows by rows from git.
  void replace(Lists now);

  const Lists& lists() const { return lists_; }
  // True if the kept rows answer `query`.
  bool are_of(const StatusQuery& query, const KnownSubmodules& submodules) const;
  // Makes every tracked row for `query`.
  Result<Lists> make(const Sources& sources, const StatusQuery& query) const;

  // Paths whose row changed since the last call.
  std::set<std::string> consume_changed() { return std::exchange(changed_, {}); }

 private:
  using Counts = std::array<uint64_t, 5>;

  StatusQuery kept_query() const;
  bool are_staged_of(const StatusQuery& query) const;
  void update_row(const Sources& sources, uint32_t position, const StatusQuery& query);

  const std::shared_ptr<const Pathspec> pathspec_;
  Lists lists_;
  std::set<uint32_t> due_;
  std::optional<Counts> made_from_;
  bool has_intent_to_add_ = false;
  std::set<std::string> changed_;
};

}  // namespace resident
