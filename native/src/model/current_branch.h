// CurrentBranch: the branch of HEAD and how far it is from its upstream, kept.
//
// Threads: the model's owner.
#pragma once

#include <array>
#include <optional>

#include "model/model_view.h"
#include "status/status.h"

namespace resident {

class CurrentBranch {
 public:
  // `gate` may be null.
  explicit CurrentBranch(MetadataGate* gate) : gate_(gate) {}

  Result<void> update(const ModelView& view, const Causes& causes);
  // The same without counting commits; nothing is kept.
  Result<BranchStatus> read_uncounted(const ModelView& view) { return read(view, false); }
  // As git said.
  void replace(std::optional<BranchStatus> branch);

  // Unset until it is known.
  const std::optional<BranchStatus>& get() const { return branch_; }
  std::vector<std::string> files() const { return files_.paths(); }

 private:
  using Counts = std::array<uint64_t, 2>;

  Result<BranchStatus> read(const ModelView& view, bool ahead_behind);

  MetadataGate* const gate_;
  std::optional<BranchStatus> branch_;
  FileSet files_;
  std::optional<Counts> made_from_;
};

}  // namespace resident
