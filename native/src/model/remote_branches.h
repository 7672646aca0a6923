// RemoteBranches: what the branch of HEAD is compared with, and how far HEAD is from where it is
// pushed, kept.
//
// Commits are counted in steps, where the owner can wait.
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

  // Reads again what may have changed. `branch` is the current one. kUnsupported where only git can
  // tell, until something changes.
  Result<void> update(const ModelView& view, const InputVersions& versions,
                      const BranchStatus& branch);

  const std::optional<Found>& upstream() const { return upstream_; }
  // push_remote_branch(), which prompts show.
  const std::optional<Found>& push_remote() const { return push_remote_; }
  // push_destination(), which a failure to tell has none.
  const std::optional<Found>& push_destination() const { return push_destination_; }

  // How far HEAD is from `found`, of the two for pushing, as git counts it; a step of that within
  // `budget`. nullopt: it goes on with the next call. An error stays until something changes.
  Result<std::optional<AheadBehind>> count(const ModelView& view, const Found& found,
                                           const AheadBehindWalk::Budget& budget);

  // What decides them, once they were asked for.
  const std::vector<std::string>& files() const { return files_.paths(); }

 private:
  struct Branches {
    std::optional<RemoteBranch> upstream;
    std::optional<RemoteBranch> push_remote;
    std::optional<RemoteBranch> push_destination;
  };
  struct Distance {
    std::unique_ptr<Divergence> walk;  // while it is counted
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
