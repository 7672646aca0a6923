// StatusRows: what git prints of each tracked path that is not as in HEAD, kept, and made for a
// question of another kind.
//
// A row is made anew where one entry changed; all are where the change can reach other rows, as by
// a rename.
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
    bool git_warns = false;  // while it looks for renames
  };
  // What rows are made from.
  struct Sources {
    const ModelView& view;
    const StagedChanges& staged;
    const KnownSubmodules& submodules;
  };

  // The rows that are kept, and told by deltas, are of this pathspec; null: of everything.
  explicit StatusRows(std::shared_ptr<const Pathspec> pathspec) : pathspec_(std::move(pathspec)) {}

  // The rows of these entries are to be made anew by the next update().
  void mark_touched(const std::set<uint32_t>& positions) {
    due_.insert(positions.begin(), positions.end());
  }
  Result<void> update(const Sources& sources, const InputVersions& versions);
  // Rows that are somebody else's: git's.
  void replace(Lists now);

  const Lists& lists() const { return lists_; }
  // Whether the kept rows are those of `query`.
  bool are_of(const StatusQuery& query, const KnownSubmodules& submodules) const;
  // Every tracked row as `query` has it.
  Result<Lists> make(const Sources& sources, const StatusQuery& query) const;

  // Paths whose row was made another one since the last call.
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
