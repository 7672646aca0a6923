// CurrentBranch: the branch of HEAD and how far it is from its upstream, kept.
//
// Commits are counted in steps of some milliseconds, where the owner can wait: until that is done
// the branch says that it differs, not by how much.
//
// Threads: the model's owner.
#pragma once

#include <array>
#include <optional>

#include "history/branch_status.h"
#include "model/model_view.h"
#include "status/status.h"

namespace resident {

class CurrentBranch {
 public:
  // `gate` may be null. Not `in_steps`: an update counts to the end.
  CurrentBranch(MetadataGate* gate, bool in_steps) : gate_(gate), in_steps_(in_steps) {}

  // Makes one step, where there is something to count.
  Result<void> update(const ModelView& view, const InputVersions& versions);
  bool counts_in_steps() const { return in_steps_; }
  // update() is to be called again soon.
  bool is_counting() const { return counting_.has_value(); }
  // The same without counting commits; nothing is kept.
  Result<BranchStatus> read_uncounted(const ModelView& view);
  // As git said.
  void replace(std::optional<BranchStatus> branch);

  // Unset until it is known.
  const std::optional<BranchStatus>& get() const { return branch_; }
  std::vector<std::string> files() const { return files_.paths(); }

 private:
  using Counts = std::array<uint64_t, 2>;

  Result<BranchReading> read(const ModelView& view, bool to_count);
  Result<void> count(BranchReading reading);

  MetadataGate* const gate_;
  const bool in_steps_;
  std::optional<BranchStatus> branch_;
  FileSet files_;
  std::optional<Counts> made_from_;
  std::optional<BranchReading> counting_;
};

}  // namespace resident
