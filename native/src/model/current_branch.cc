#include "model/current_branch.h"

#include <utility>

#include "model/history_sources.h"

namespace resident {

namespace {

// Some milliseconds each.
constexpr AheadBehindWalk::Budget kStep = {.visits = 60'000, .reads = 4'000};

}  // namespace

Result<BranchReading> CurrentBranch::read(const ModelView& view, bool to_count) {
  const BranchSources sources = branch_sources(view);
  files_ = FileSet::record_found(view.fs, [&] {
    const RefStore::Reading reading(view.state.refs());
    return branch_status_files(view.state.head(), sources);
  });
  const RefStore::Reading reading(view.state.refs());
  return read_branch(view.state.head(), sources, to_count);
}

Result<BranchStatus> CurrentBranch::read_uncounted(const ModelView& view) {
  RESIDENT_TRY(BranchReading reading, read(view, false));
  return std::move(reading.status);
}

Result<void> CurrentBranch::update(const ModelView& view, const InputVersions& versions) {
  const Counts made_from = {versions.head, versions.config};
  std::optional<BranchReading> counting = std::exchange(counting_, std::nullopt);
  const bool is_current = branch_ && made_from_ == made_from && !files_.changed(view.fs, gate_);
  if (is_current && !counting) return {};
  // Until it succeeds: the files are recorded already.
  made_from_.reset();
  if (!is_current) {
    RESIDENT_TRY(counting, read(view, true));
  }
  RESIDENT_CHECK(count(*std::move(counting)));
  made_from_ = made_from;
  return {};
}

Result<void> CurrentBranch::count(BranchReading reading) {
  RESIDENT_TRY(const bool is_counted, reading.count(in_steps_ ? kStep : AheadBehindWalk::Budget{}));
  branch_ = reading.status;
  if (!is_counted) counting_ = std::move(reading);
  return {};
}

void CurrentBranch::replace(std::optional<BranchStatus> branch) {
  branch_ = std::move(branch);
  made_from_.reset();
  counting_.reset();
}

}  // namespace resident
