// StatusRows: computes git's row for each tracked path that differs from HEAD. It updates the kept
// rows, and makes rows for other queries.
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
#include <utility>

#include "delta/kept_rows.h"
#include "model/known_submodules.h"
#include "model/model_view.h"
#include "model/staged_changes.h"

namespace resident {

class StatusRows {
 public:
  // The inputs of rows.
  struct Sources {
    const ModelView& view;
    const StagedChanges& staged;
    const KnownSubmodules& submodules;
  };

  // `pathspec` limits the kept rows; null: all rows. `kept` outlives this object.
  StatusRows(std::shared_ptr<const Pathspec> pathspec, KeptRows& kept)
      : pathspec_(std::move(pathspec)), kept_(kept) {}

  // Marks the rows of these entries for the next update().
  void mark_touched(std::set<uint32_t> positions) { due_.merge(positions); }
  void mark_touched(uint32_t position) { due_.insert(position); }
  Result<void> update(const Sources& sources, const InputVersions& versions);

  const TrackedRows& kept() const { return kept_.rows(); }
  // True if the kept rows answer `query`.
  bool are_of(const StatusQuery& query, const KnownSubmodules& submodules) const;
  // Makes every tracked row for `query`.
  Result<TrackedRows> make(const Sources& sources, const StatusQuery& query) const;

 private:
  using Counts = std::array<uint64_t, 5>;

  StatusQuery kept_query() const;
  bool are_staged_of(const StatusQuery& query) const;
  void update_row(const Sources& sources, uint32_t position, const StatusQuery& query);

  const std::shared_ptr<const Pathspec> pathspec_;
  KeptRows& kept_;
  std::set<uint32_t> due_;
  std::optional<Counts> made_from_;
  bool has_intent_to_add_ = false;
};

}  // namespace resident
