#include "model/current_branch.h"

#include "history/branch_status.h"

namespace resident {

Result<BranchStatus> CurrentBranch::read(const ModelView& view, bool ahead_behind) {
  const BranchSources sources{view.state.refs(), view.state.objects(), view.fs,
                              view.repository.common_dir, [&view](std::string_view key) {
                                std::vector<std::string> values;
                                for (std::string_view value : view.state.config().get_all(key)) {
                                  values.emplace_back(value);
                                }
                                return values;
                              }};
  files_ = FileSet::record_found(view.fs, [&] {
    const RefStore::Reading reading(view.state.refs());
    return branch_status_files(view.state.head(), sources);
  });
  const RefStore::Reading reading(view.state.refs());
  return read_branch_status(view.state.head(), sources, ahead_behind);
}

Result<void> CurrentBranch::update(const ModelView& view, const Causes& causes) {
  const Counts made_from = {causes.head, causes.config};
  if (branch_ && made_from_ == made_from && !files_.changed(view.fs, gate_)) return {};
  // Until it succeeds: the files are recorded already.
  made_from_.reset();
  RESIDENT_TRY(branch_, read(view, true));
  made_from_ = made_from;
  return {};
}

void CurrentBranch::replace(std::optional<BranchStatus> branch) {
  branch_ = std::move(branch);
  made_from_.reset();
}

}  // namespace resident
