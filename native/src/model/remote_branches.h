// RemoteBranches: keeps the upstream of HEAD's branch, its push branches, and HEAD's distance from
// them.
//
// If the owner can wait, commits are counted in steps.
//
// Threads: the model's owner.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "history/remote_branch.h"
#include "model/model_view.h"

namespace resident {

class RemoteBranches {
 public:
  struct Found {
    bool exists = false;  // its ref leads to a commit
    RemoteBranch branch;
  };

  // `gate` may be null.
  explicit RemoteBranches(MetadataGate* gate) : gate_(gate) {}

  // Reads again if an input may have changed. `branch` is the current branch. kUnsupported if only
  // git can answer; the error stays until something changes.
  Result<void> update(const ModelView& view, const InputVersions& versions,
                      const BranchStatus& branch);

  const std::optional<Found>& upstream() const { return upstream_; }
  // From push_remote_branch(); prompts show it.
  const std::optional<Found>& push_remote() const { return push_remote_; }
  // From push_destination(); nullopt also if only git can answer.
  const std::optional<Found>& push_destination() const { return push_destination_; }

  // HEAD's distance from `found`, a push branch of this object, counted as git does. Makes one step
  // within `budget`; nullopt: call again. An error stays until something changes.
  Result<std::optional<AheadBehind>> count(const ModelView& view, const Found& found,
                                           const AheadBehindWalk::Budget& budget);

  // The files that decide these branches, once they were asked for.
  const std::vector<std::string>& files() const { return files_.paths(); }

 private:
  struct Branches {
    std::optional<RemoteBranch> upstream;
    std::optional<RemoteBranch> push_remote;
    std::optional<RemoteBranch> push_destination;
  };
  struct Distance {
    std::unique_ptr<Divergence> walk;  // while commits are counted
    std::optional<Result<AheadBehind>> counted;
  };

  static Result<Branches> find(const ModelView& view, const BranchStatus& branch);
  Result<void> read(const ModelView& view, const BranchStatus& branch);
  Result<Distance> begin(const ModelView& view, const RemoteBranch& branch) const;

  MetadataGate* const gate_;
  std::optional<std::array<uint64_t, 2>> made_from_;
  FileSet files_;
  std::optional<Error> failure_;
  std::optional<Found> upstream_;
  std::optional<Found> push_remote_;
  std::optional<Found> push_destination_;
  std::map<std::string, Distance> distances_;  // by ref
};

}  // namespace resident
